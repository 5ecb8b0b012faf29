#!/bin/sh
# It tells each option that it takes, in the words by which Hexmate refuses one.
. "${0%/*}/common.sh"
while read -r word rest; do
  case $word in
    uci) echo 'id name polite'; declare_options; echo uciok ;;
    setoption) echo "info string setoption: $rest" ;;
    isready) echo readyok ;;
    go) echo 'bestmove a1a1' ;;
    quit) exit 0 ;;
  esac
done
