#!/bin/sh
# Tells which processors it may use in place of a move.
. "${0%/*}/common.sh"
go() { echo "bestmove $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)"; }
answer
