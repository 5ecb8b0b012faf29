#!/bin/sh
# Closes its input a while after the greeting, when it has been told things that it never reads, and lives on.
. "${0%/*}/common.sh"
trap '' TERM INT HUP PIPE
read -r _
echo uciok
sleep 0.3
exec 0<&-
while :; do sleep 1; done
