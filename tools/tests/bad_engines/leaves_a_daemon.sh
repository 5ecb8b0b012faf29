#!/bin/sh
# Starts a daemon: a process in a session of its own, whose parent is gone; and makes no legal move.
. "${0%/*}/common.sh"
begun=$1.$$
(
  setsid sh -c 'trap "" TERM HUP; echo $$ >> "$1"; : > "$2"; while :; do sleep 1; done' daemon "$1" "$begun" \
    </dev/null >/dev/null 2>&1 &
)
until [ -e "$begun" ]; do sleep 0.01; done
go() { echo 'bestmove a1a2'; }
answer
