# What all bad engines share. $1 is a file to which they add their process number.
[ -z "$1" ] || echo $$ >> "$1"

# What they declare: the games, so that no trial move is asked for, and the options that tests set.
declare_options() {
  echo 'option name UCI_Variant type combo default glinski var glinski var mccooey'
  echo 'option name Threads type spin default 1 min 1 max 512'
}

# Answers everything but "go", for which it calls the function of that name.
answer() {
  while read -r word rest; do
    case $word in
      uci) echo 'id name bad'; declare_options; echo uciok ;;
      isready) echo readyok ;;
      go) go "$rest" ;;
      quit) exit 0 ;;
    esac
  done
}
