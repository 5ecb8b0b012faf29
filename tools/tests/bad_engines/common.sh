# What all bad engines share. $1 is a file to which they add their process number.
[ -z "$1" ] || echo $$ >> "$1"

# Answers everything but "go", for which it calls the function of that name.
answer() {
  while read -r word rest; do
    case $word in
      uci) echo 'id name bad'; echo uciok ;;
      isready) echo readyok ;;
      go) go "$rest" ;;
      quit) exit 0 ;;
    esac
  done
}
