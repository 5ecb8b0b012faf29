#!/bin/sh
# Answers when it is told a position, too, before it is asked.
. "${0%/*}/common.sh"
while read -r word rest; do
  case $word in
    uci) declare_options; echo uciok ;;
    isready) echo readyok ;;
    position) echo 'info depth 99 score cp 9999'; echo 'bestmove a1a2' ;;
    go) echo 'bestmove b1b2' ;;
    quit) exit 0 ;;
  esac
done
