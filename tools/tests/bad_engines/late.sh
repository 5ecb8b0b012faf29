#!/bin/sh
# Moves only when told to stop.
. "${0%/*}/common.sh"
go() { while read -r word; do [ "$word" != stop ] || { echo 'bestmove e4e5'; return; }; done; }
answer
