#!/bin/sh
# Kills a match at random moments, each time going on with --resume, and compares the end with that of
# an undisturbed match: the table, the games, the final positions. Usage:
#   tools/tests/kill_and_resume.sh [KILLS] [PATH-OF-HEXMATE]
set -eu
kills=${1:-50}
hexmate=${2:-target/release/hexmate}
hexmate=$(cd "$(dirname "$hexmate")" && pwd)/$(basename "$hexmate")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

words="match -variant glinski -engine cmd=internal name=a nodes=300 \
  -engine cmd=internal name=b nodes=200 -engine cmd=internal name=c nodes=100 \
  -rounds 60 -concurrency 2 -srand 5 -ratinginterval 0"
table() { sed -n '/^Rank/,$p' "$1"; }

"$hexmate" $words -jsonl file=whole.jsonl -epdout file=whole.epd > whole.txt
killed=0
while [ "$killed" -lt "$kills" ]; do
  "$hexmate" $words -jsonl file=g.jsonl -epdout file=g.epd -journal file=run.journal --resume > g.txt &
  runner=$!
  # 0 to 399 milliseconds.
  wait_for=$(od -An -N2 -tu2 /dev/urandom)
  sleep "0.$(printf %03d $((wait_for % 400)))"
  if kill -9 "$runner" 2> /dev/null; then killed=$((killed + 1)); else
    echo "the match ended by itself after $killed kills"; wait "$runner" || true; break; fi
  wait "$runner" 2> /dev/null || true
done
echo "killed $killed times; the journal has $(($(wc -l < run.journal) - 1)) whole games"
"$hexmate" $words -jsonl file=g.jsonl -epdout file=g.epd -journal file=run.journal --resume > g.txt
table whole.txt > whole.table
table g.txt > g.table
cmp whole.table g.table
cmp whole.jsonl g.jsonl
cmp whole.epd g.epd
cat g.table
echo "the same table and the same games as undisturbed"
