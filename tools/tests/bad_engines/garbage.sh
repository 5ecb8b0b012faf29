#!/bin/sh
# Answers with bytes that are no text, and a move that is none.
. "${0%/*}/common.sh"
go() { printf 'in\377\376fo \001\002 {"}\n\n\nbestmove \033[2J{"x":\377}\n'; }
answer
