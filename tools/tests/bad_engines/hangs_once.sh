#!/bin/sh
# The first of all that is to move, by the folder $1, hangs; the others lose at once.
first=$1
set --
. "${0%/*}/common.sh"
go() { mkdir "$first" 2>/dev/null && while :; do sleep 1; done; echo 'bestmove a1a2'; }
answer
