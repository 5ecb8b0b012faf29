#!/usr/bin/env python3
"""The speed of a search through the board against the same search by UCI, in turns, on a quiet machine.

    benches/board_speed.py [PROGRAM [ROUNDS [NODES]]]

Prints nodes a second of both by the clock of this process, medians of the rounds, and their ratio.
"""

import json
import statistics
import subprocess
import sys
import time
import urllib.request

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "target/release/hexmate"
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 9
NODES = int(sys.argv[3]) if len(sys.argv) > 3 else 3_000_000
HASH = 64
GAMES = {"glinski": ["e4e5", "e7e6"], "chromatic4": []}


class Uci:
    def __init__(self):
        pipe = subprocess.PIPE
        self.child = subprocess.Popen([PROGRAM, "uci"], stdin=pipe, stdout=pipe, text=True)
        self.say(f"setoption name Hash value {HASH}")

    def say(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def wait(self, word):
        while not (line := self.child.stdout.readline()).startswith(word):
            assert line, "the engine has ended"

    def speed(self, game, moves):
        self.say(f"setoption name UCI_Variant value {game}\nucinewgame\nisready")
        self.wait("readyok")
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        begin = time.perf_counter()
        self.say(f"go nodes {NODES}")
        self.wait("bestmove")
        return NODES / (time.perf_counter() - begin)


class Board:
    def __init__(self):
        command = [PROGRAM, "board", "--no-open", "--port", "0"]
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        address, self.token = self.child.stdout.readline().strip().split("/#token=")
        self.address = address

    def speed(self, game, moves):
        fields = {"game": game, "moves": moves, "nodes": NODES, "hash": HASH, "threads": 1, "fresh": True}
        headers = {"Content-Type": "application/json", "X-Hexmate-Token": self.token}
        request = urllib.request.Request(
            self.address + "/api/analyse", json.dumps(fields).encode(), headers
        )
        begin = time.perf_counter()
        with urllib.request.urlopen(request) as answer:
            done = json.loads(answer.read().splitlines()[-1])
        took = time.perf_counter() - begin
        assert done["reason"] == "nodes", done
        return NODES / took


def main():
    uci, board = Uci(), Board()
    try:
        for game, moves in GAMES.items():
            speeds = [(uci.speed(game, moves), board.speed(game, moves)) for _ in range(ROUNDS + 1)]
            # The first round builds tables and touches memory.
            by_uci, by_board = (statistics.median(column) for column in zip(*speeds[1:]))
            print(f"{game}: UCI {by_uci:,.0f}, board {by_board:,.0f} nodes a second: {by_board / by_uci:.3f}")
    finally:
        uci.child.kill()
        board.child.kill()


if __name__ == "__main__":
    main()
