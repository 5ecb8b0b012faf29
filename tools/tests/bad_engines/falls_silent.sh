#!/bin/sh
# Says nothing any more once it is shown a position.
. "${0%/*}/common.sh"
while read -r word rest; do
  case $word in
    uci) echo 'id name bad'; declare_options; echo uciok ;;
    isready) [ -n "$shown" ] || echo readyok ;;
    position) shown=1 ;;
    quit) exit 0 ;;
  esac
done
