#!/bin/sh
# Ends in the middle of a search.
. "${0%/*}/common.sh"
go() { echo 'info depth 1 score cp 10 nodes 1'; kill -9 $$; }
answer
