#!/bin/sh
# Starts a child that outlives it, and ends in the middle of a search.
. "${0%/*}/common.sh"
sh -c 'echo $$ >> "$1"; trap "" TERM HUP; while :; do sleep 1; done' child "$1" &
go() { kill -9 $$; }
answer
