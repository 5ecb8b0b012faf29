#!/bin/sh
# A chess program: it has no UCI_Variant and begins as usual.
while read -r word rest; do
  case $word in
    uci) echo 'id name chess'; echo uciok ;;
    isready) echo readyok ;;
    go) echo 'bestmove e2e4' ;;
    quit) exit 0 ;;
  esac
done
