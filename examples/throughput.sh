#!/bin/sh
# Makes many different positions of games that the engine plays against itself, in the five compiled games, and analyses
# them in one run. Then, if KILLS is given, does so again while it kills that run with SIGKILL at random moments, goes
# on each time, and compares the two outputs. Usage:
#   examples/throughput.sh [COUNT [NODES [JOBS [KILLS]]]]
# HEXMATE names the program, FOLDER where the files go. The same COUNT makes the same positions everywhere.
set -eu
count=${1:-300000} nodes=${2:-10000} jobs=${3:-2} kills=${4:-0}
hexmate=${HEXMATE:-target/release/hexmate}
folder=${FOLDER:-target/throughput}
mkdir -p "$folder"

# A game of self-play has about 80 quiet positions; of those that differ in more than the move's number the first are
# taken, as many of each game.
each=$(((count + 4) / 5))
for game in glinski hexachess mccooey chromatic3 chromatic4; do
  "$hexmate" datagen "$game" --games $((each / 30 + 64)) --nodes 100 --seed 20 --threads "$jobs" --output - \
    2> "$folder/datagen.log" |
    awk -F '\t' -v game="$game" -v each="$each" '
      !/^#/ && made < each {
        key = $2
        sub(/ [0-9]+$/, "", key)
        if (!seen[key]++) { print $2 " ; game " game; made++ }
      }' > "$folder/$game.epd"
done
positions="$folder/positions.epd"
(cd "$folder" && paste -d '\n' glinski.epd hexachess.epd mccooey.epd chromatic3.epd chromatic4.epd) |
  sed '/^$/d' | head -n "$count" > "$positions"
found=$(wc -l < "$positions")
if [ "$found" -ne "$count" ]; then
  echo "there are $found positions; expected $count" >&2
  exit 1
fi

analyse() {
  "$hexmate" analyse "$positions" --nodes "$nodes" --jobs "$jobs" --quiet "$@"
}
figures() {
  grep -E '^  "(seconds|processor_seconds|peak_megabytes|records|errors|nodes|records_per_second)"|_memory|searched|_journal' "$1"
}
timeless() { sed 's/"time_ms":[0-9]*/"time_ms":0/' "$1"; }

echo "$count positions, $nodes nodes, $jobs jobs:"
analyse --output "$folder/whole.jsonl" --stats "$folder/whole.stats" --force
figures "$folder/whole.stats"
[ "$kills" -gt 0 ] || exit 0

seconds=$(sed -n 's/^  "seconds": \(.*\),$/\1/p' "$folder/whole.stats")
rm -f "$folder/killed.jsonl" "$folder/killed.jsonl.journal" "$folder/killed.stats"
killed=0
while [ "$killed" -lt "$kills" ]; do
  # Not by the function: that would be a shell, and kills would not reach the program.
  "$hexmate" analyse "$positions" --nodes "$nodes" --jobs "$jobs" --quiet \
    --output "$folder/killed.jsonl" --resume &
  run=$!
  # On average the kills take half of the time that the undisturbed run took.
  sleep "$(awk -v most="$seconds" -v kills="$kills" -v seed="$killed" \
    'BEGIN { srand(seed + 1); print rand() * most / kills }')"
  kill -9 "$run" 2> /dev/null || break
  wait "$run" 2> /dev/null || true
  killed=$((killed + 1))
done
echo "killed $killed times:"
analyse --output "$folder/killed.jsonl" --resume --stats "$folder/killed.stats"
if [ -f "$folder/killed.stats" ]; then figures "$folder/killed.stats"; fi
timeless "$folder/whole.jsonl" > "$folder/whole.timeless"
timeless "$folder/killed.jsonl" | cmp - "$folder/whole.timeless"
echo "the same answers as undisturbed, byte for byte and except for times"
