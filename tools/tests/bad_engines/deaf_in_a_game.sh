#!/bin/sh
# Closes its input when it is to move, and lives on.
. "${0%/*}/common.sh"
trap '' TERM INT HUP PIPE
go() {
  exec 0<&-
  while :; do sleep 1; done
}
answer
