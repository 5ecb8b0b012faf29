//! Every list of legal moves, and every position after a move, against the plain reference generator:
//! 20,000 positions of random play and 10,000 random arrangements for each game, by every backend that
//! this processor can run.

mod common;
mod reference;

use common::{Rng, known_positions, sorted_texts, thrown_position};
use hexmate_movegen::{
    Bits, BuiltIn, Cell, Move, Position, Side, Simd, Wanted, perft_in, test_each_game,
};
use reference::{Mailbox, Rules, Step, What};

/// Mates are rare in random play on the largest board: there are two in this many positions.
const PLAYED: usize = 10_000;
const THROWN: usize = 5_000;
/// Games are abandoned after this many plies. With twice as many there would be fewer games, and none of them came to a
/// mate on the largest board.
const LONGEST: usize = 75;

/// How often each rule was at work. A comparison in which a rule never mattered proves nothing about it.
#[derive(Default, Debug)]
struct Seen {
    check: usize,
    double_check: usize,
    en_passant: usize,
    double_step: usize,
    promotion: usize,
    capture_with_promotion: usize,
    castling: usize,
    moved_pawns: usize,
    mate: usize,
    stalemate: usize,
}

impl Seen {
    fn count<G: BuiltIn>(&mut self, position: &Position<G>, mailbox: &Mailbox<'_>, steps: &[Step]) {
        let any = |f: &dyn Fn(&Step) -> bool| usize::from(steps.iter().any(f));
        let checks = mailbox.checks();
        self.check += usize::from(checks > 0);
        self.double_check += usize::from(checks > 1);
        self.en_passant += any(&|s| matches!(s.what, What::EnPassant { .. }));
        self.double_step += any(&|s| matches!(s.what, What::Double { .. }));
        self.promotion += any(&|s| s.promotion.is_some());
        self.capture_with_promotion += any(&|s| s.promotion.is_some() && s.what == What::Capture);
        self.castling += any(&|s| matches!(s.what, What::Castling { .. }));
        self.moved_pawns += usize::from(position.moved_pawns() != G::Bits::default());
        self.mate += usize::from(steps.is_empty() && checks > 0);
        self.stalemate += usize::from(steps.is_empty() && checks == 0);
    }

    fn assert_nothing_missed<G: BuiltIn>(&self) {
        println!("{}: {self:?}", G::ID);
        let mut counts = vec![
            ("check", self.check),
            ("double check", self.double_check),
            ("en passant", self.en_passant),
            ("double step", self.double_step),
            ("promotion", self.promotion),
            ("capture with promotion", self.capture_with_promotion),
            ("mate", self.mate),
        ];
        if G::SPEC.castling.is_some() {
            counts.push(("castling", self.castling));
            counts.push(("moved pawns", self.moved_pawns));
        }
        for (what, count) in counts {
            assert!(count > 0, "{}: no {what} among the positions", G::ID);
        }
    }
}

fn texts_of(mailbox: &Mailbox<'_>, steps: &[Step], wanted: impl Fn(&Step) -> bool) -> Vec<String> {
    let steps = steps.iter().filter(|s| wanted(s));
    let mut texts: Vec<String> = steps.map(|s| mailbox.step_text(s)).collect();
    texts.sort();
    texts
}

/// Checks that every backend finds these moves and no others; gives them, sorted. Only what the first one finds is made
/// into texts, which takes longer than finding it.
fn found_by_all<G: BuiltIn>(
    position: &Position<G>,
    wanted: Wanted<G::Bits>,
    expected: &[String],
) -> Vec<Move> {
    let find = |simd| {
        let mut found = Vec::new();
        position.add_wanted(simd, wanted, &mut found);
        found.sort();
        found
    };
    let first = find(Simd::Portable);
    assert_eq!(
        sorted_texts::<G>(&first),
        expected,
        "{wanted:?} of {position}"
    );
    for simd in Simd::available() {
        assert_eq!(find(simd), first, "{simd}: {wanted:?} of {position}");
    }
    first
}

/// Asks for the moves between two sets of cells, by every backend.
fn compare_some<G: BuiltIn>(
    rng: &mut Rng,
    position: &Position<G>,
    mailbox: &Mailbox<'_>,
    steps: &[Step],
) {
    let one_in = 2 + rng.below(3);
    let mut half = || {
        let cells = G::GAME.tables().all.cells().filter(|_| rng.one_in(one_in));
        cells.fold(G::Bits::EMPTY, |set, c| set | G::Bits::of(c))
    };
    let wanted = Wanted {
        from: half(),
        to: half(),
    };
    let has = |set: G::Bits, (a, y): reference::Cell| {
        let cell = G::GAME.tables().board.cell(a as i8, y as i8);
        cell.is_some_and(|c| set.has(c))
    };
    let expected = texts_of(mailbox, steps, |step| {
        let taken = match step.what {
            What::EnPassant { stands } => has(wanted.to, stands),
            _ => false,
        };
        has(wanted.from, step.from) && (has(wanted.to, step.to) || taken)
    });
    found_by_all(position, wanted, &expected);
}

/// For each side and cell the pieces that attack it, found from each piece.
fn attackers<G: BuiltIn>(position: &Position<G>) -> Vec<(Side, Cell, G::Bits)> {
    let tables = G::GAME.tables();
    let mut by = [[G::Bits::EMPTY; 256]; 2];
    for from in position.occupied().cells() {
        let Some(piece) = position.piece_on(from) else {
            continue;
        };
        for cell in tables.attacks_of(piece, from, position.occupied()).cells() {
            by[piece.side as usize][usize::from(cell)] |= G::Bits::of(from);
        }
    }
    let sides = Side::BOTH.into_iter();
    let all = sides.flat_map(|side| tables.all.cells().map(move |cell| (side, cell)));
    all.map(|(side, cell)| (side, cell, by[side as usize][usize::from(cell)]))
        .collect()
}

/// Compares all that can be asked of a position; gives the reference's moves.
fn compare<'r, G: BuiltIn>(
    position: &Position<G>,
    rules: &'r Rules,
    seen: &mut Seen,
) -> (Mailbox<'r>, Vec<Step>) {
    let text = position.to_string();
    let mailbox = Mailbox::read(rules, &text);
    assert_eq!(mailbox.text(), text);
    assert_eq!(mailbox.fault(), None, "{text}");
    let steps = mailbox.legal();
    let expected = texts_of(&mailbox, &steps, |_| true);
    let attackers = attackers(position);
    let moves = found_by_all(position, Wanted::all(G::GAME.tables()), &expected);
    for simd in Simd::available() {
        let count = position.count_in(simd);
        assert_eq!(count, expected.len() as u64, "{simd}: {text}");
        let any = position.has_legal_move_in(simd);
        assert_eq!(any, !expected.is_empty(), "{simd}: {text}");
        let checked = position.in_check_in(simd);
        assert_eq!(checked, mailbox.checks() > 0, "{simd}: {text}");
        let attacked = Side::BOTH.map(|side| position.attacked_by_in(simd, side));
        for (side, cell, expected) in &attackers {
            let found = position.attackers_in(simd, *cell, *side, position.occupied());
            assert_eq!(found, *expected, "{simd}: {cell} of {text}");
            let attacked = attacked[*side as usize].has(*cell);
            assert_eq!(attacked, expected.any(), "{simd}: {cell} of {text}");
        }
    }
    let mut legal = position.legal_moves();
    legal.sort();
    assert_eq!(legal, moves, "{text}");
    assert_eq!(position.count_legal(), expected.len() as u64, "{text}");
    assert_eq!(position.has_legal_move(), !expected.is_empty(), "{text}");
    assert_eq!(position.in_check(), mailbox.checks() > 0, "{text}");

    let capture = |s: &Step| matches!(s.what, What::Capture | What::EnPassant { .. });
    let mut found = Vec::new();
    position.add_captures(&mut found);
    let expected = texts_of(&mailbox, &steps, capture);
    assert_eq!(sorted_texts::<G>(&found), expected, "captures of {text}");

    assert_eq!(position.key(), position.fresh_key(), "{text}");
    assert_eq!(text.parse::<Position<G>>().as_ref(), Ok(position), "{text}");
    seen.count(position, &mailbox, &steps);
    (mailbox, steps)
}

/// Makes a move on both boards; they must print the same.
fn play<G: BuiltIn>(position: &mut Position<G>, mailbox: &Mailbox<'_>, step: &Step) {
    let before = position.to_string();
    let text = mailbox.step_text(step);
    let mv = position.parse_move(&text).unwrap();
    assert_eq!(mv.text(G::GAME), text);
    let foreseen = position.key_after(mv);
    let rights = (position.castling_rights(), position.moved_pawns());
    position.play(mv).unwrap();
    let plain = matches!(step.what, What::Quiet | What::Capture);
    if plain && (position.castling_rights(), position.moved_pawns()) == rights {
        assert_eq!(foreseen, position.key(), "{text} in {before}");
    }
    assert_eq!(
        position.to_string(),
        mailbox.after(step).text(),
        "after {text} in {before}"
    );
}

/// A random move, preferring rare kinds now and then.
fn choose<'s>(rng: &mut Rng, mailbox: &Mailbox<'_>, steps: &'s [Step]) -> &'s Step {
    let rare = |step: &&Step, class| match class {
        0 => mailbox.after(step).checks() > 0,
        1 => mailbox.after(step).checks() > 1,
        2 => step.promotion.is_some() && step.what == What::Capture,
        3 => step.promotion.is_some(),
        4 => matches!(step.what, What::EnPassant { .. }),
        5 => matches!(step.what, What::Double { .. }),
        6 => matches!(step.what, What::Castling { .. }),
        _ => step.what == What::Capture,
    };
    let class = rng.below(30);
    let chosen: Vec<&Step> = match class {
        0..8 => steps.iter().filter(|s| rare(s, class)).collect(),
        _ => vec![],
    };
    match chosen.as_slice() {
        [] => &steps[rng.below(steps.len())],
        some => rng.pick(some),
    }
}

fn random_play<G: BuiltIn>() {
    let rules = Rules::named(G::ID.name());
    let mut rng = Rng(0x1234_5678);
    let known = known_positions::<G>();
    let mut seen = Seen::default();
    let mut position = known[0];
    let mut plies = 0;
    for _ in 0..PLAYED {
        let (mailbox, steps) = compare(&position, &rules, &mut seen);
        compare_some(&mut rng, &position, &mailbox, &steps);
        if steps.is_empty() || position.is_dead() || plies >= LONGEST {
            position = match rng.below(4) {
                0 => known[0],
                1 => thrown_position(&mut rng),
                _ => rng.pick(&known),
            };
            plies = 0;
        } else {
            play(&mut position, &mailbox, choose(&mut rng, &mailbox, &steps));
            plies += 1;
        }
    }
    seen.assert_nothing_missed::<G>();
}

fn thrown<G: BuiltIn>() {
    let rules = Rules::named(G::ID.name());
    let mut rng = Rng(0x8765_4321);
    let mut seen = Seen::default();
    for _ in 0..THROWN {
        let position = thrown_position::<G>(&mut rng);
        let (mailbox, steps) = compare(&position, &rules, &mut seen);
        compare_some(&mut rng, &position, &mailbox, &steps);
        // One move of each kind is also made: rights are easily lost in the state after it.
        for step in steps.iter().filter(|s| s.what != What::Quiet) {
            let mut next = position;
            play(&mut next, &mailbox, step);
            assert_eq!(next.key(), next.fresh_key());
        }
    }
    seen.assert_nothing_missed::<G>();
}

test_each_game!(random_play);
test_each_game!(thrown);

/// Perft of the start, counted by the reference.
fn start_counts<G: BuiltIn>() {
    fn count(position: &Mailbox<'_>, depth: u32) -> u64 {
        let moves = position.legal();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|mv| count(&position.after(mv), depth - 1))
            .sum()
    }
    let start = Position::<G>::start();
    let rules = Rules::named(G::ID.name());
    let reference = Mailbox::read(&rules, &start.to_string());
    for depth in 1..=3 {
        let expected = count(&reference, depth);
        for simd in Simd::available() {
            assert_eq!(
                perft_in(simd, &start, depth),
                expected,
                "{simd}, depth {depth}"
            );
        }
    }
}

test_each_game!(start_counts);
