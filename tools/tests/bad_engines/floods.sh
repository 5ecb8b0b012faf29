#!/bin/sh
# Writes lines for ever instead of a move.
. "${0%/*}/common.sh"
go() { exec yes 'info depth 1 score cp 0 nodes 1 string a long line that says nothing at all and never ends'; }
answer
