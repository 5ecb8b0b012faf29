#!/bin/sh
# Stops to react at all, to "stop", "quit", the end of its input and polite signals, too.
. "${0%/*}/common.sh"
trap '' TERM INT HUP PIPE
go() { while :; do sleep 1; done; }
answer
