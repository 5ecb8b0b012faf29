#!/bin/sh
# Writes one line without end.
. "${0%/*}/common.sh"
go() { exec tr '\0' x < /dev/zero; }
answer
