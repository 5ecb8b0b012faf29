#!/bin/sh
# The first of all that are started, by the folder $1, hangs when it is to move; the others lose at once.
first=; mkdir "$1" 2>/dev/null && first=yes
set --
. "${0%/*}/common.sh"
go() { while [ "$first" ]; do sleep 1; done; echo 'bestmove a1a2'; }
answer
