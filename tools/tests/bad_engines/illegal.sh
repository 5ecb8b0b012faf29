#!/bin/sh
# Makes a move that has the form of one but is not legal.
. "${0%/*}/common.sh"
go() { echo 'bestmove a1a2'; }
answer
