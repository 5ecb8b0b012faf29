#!/bin/sh
# Plays another game only.
. "${0%/*}/common.sh"
echo 'option name UCI_Variant type combo default chess var chess'
answer
