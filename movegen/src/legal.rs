//! Legal moves as the rest of the house asks for them: listed, counted, or some of them.

use crate::bits::{Bits, Cell};
use crate::form::{Form, Simd, Task, run};
use crate::games::Game;
use crate::generate::{Scene, Sink, View};
use crate::moves::Move;
use crate::position::{Position, kind_of};
use crate::replies::{Afresh, CountSlides};
use crate::spec::MOST_KINDS;
use crate::tables::Tables;

/// Which of the legal moves are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<B> {
    /// Moves from these cells only.
    pub from: B,
    /// Moves onto these cells only; en passant counts as a move onto the captured pawn's cell, too.
    pub to: B,
}

impl<B: Bits> Wanted<B> {
    /// All of them.
    #[inline(always)]
    pub fn all<G: Game<Bits = B>>() -> Self {
        let all = G::tables().all;
        Wanted { from: all, to: all }
    }
}

/// Counts moves, those of sliders as `S` does.
struct Counter<S>(u32, S);

impl<G: Game, S: CountSlides<G>> Sink<G> for Counter<S> {
    #[inline(always)]
    fn slides<F: Form<G::Bits>>(
        &mut self,
        scene: &Scene<'_, G>,
        movers: G::Bits,
        view: &View<'_, G, F>,
        to: G::Bits,
    ) {
        self.0 += self.1.count(scene, movers, view, to);
    }
    #[inline(always)]
    fn leapers(&mut self, scene: &Scene<'_, G>, t: &Tables<G>, movers: G::Bits, to: G::Bits) {
        // All kinds in one loop: a loop for each would end unforeseen too often.
        let leapers = Tables::<G>::pieces_of(scene.men.kinds.as_ref(), const { leapers::<G>() });
        for from in (leapers & movers).cells() {
            let place = if G::LEAPERS.len == 2 {
                1
            } else {
                let kind = kind_of(scene.cells.as_ref()[usize::from(from)]);
                let places = const { places::<G>() };
                places[usize::from(kind) % MOST_KINDS]
            };
            self.0 += (t.leaps_of(place, from) & to).count();
        }
    }
    #[inline(always)]
    fn step(&mut self, _: Cell, _: Cell) {
        self.0 += 1;
    }
    #[inline(always)]
    fn leaps(&mut self, _: Cell, to: G::Bits) {
        self.0 += to.count();
    }
    #[inline(always)]
    fn pawns(&mut self, to: G::Bits, _: impl Fn(Cell) -> Cell) {
        self.0 += to.count();
    }
    #[inline(always)]
    fn promotions(&mut self, t: &Tables<G>, to: G::Bits, _: impl Fn(Cell) -> Cell) {
        for cell in to.cells() {
            self.0 += t.promotions[usize::from(cell)].len() as u32;
        }
    }
}

/// The kinds that leap but for the king, bit k for kind k.
const fn leapers<G: Game>() -> u16 {
    let (mut kinds, mut place) = (0, 1);
    while place < G::LEAPERS.len {
        kinds |= 1 << G::LEAPERS.get(place);
        place += 1;
    }
    kinds
}

/// For each kind its place among the leapers.
const fn places<G: Game>() -> [usize; MOST_KINDS] {
    let (mut places, mut place) = ([0; MOST_KINDS], 0);
    while place < G::LEAPERS.len {
        places[G::LEAPERS.get(place) as usize] = place;
        place += 1;
    }
    places
}

impl<G: Game> Sink<G> for Vec<Move> {
    #[inline(always)]
    fn slides<F: Form<G::Bits>>(
        &mut self,
        scene: &Scene<'_, G>,
        movers: G::Bits,
        view: &View<'_, G, F>,
        to: G::Bits,
    ) {
        let (form, t) = (view.form, view.tables);
        let each = |from, to| self.push(Move::new(from, to));
        let movers = scene.movers(movers);
        form.visit(t, &movers, view.occupied, form.set(to), each);
    }
    #[inline(always)]
    fn leapers(&mut self, scene: &Scene<'_, G>, t: &Tables<G>, movers: G::Bits, to: G::Bits) {
        for place in 1..G::LEAPERS.len {
            let kind = G::LEAPERS.get(place);
            for from in (scene.men.kind(kind) & movers).cells() {
                Sink::<G>::leaps(self, from, t.leaps_of(place, from) & to);
            }
        }
    }
    #[inline(always)]
    fn step(&mut self, from: Cell, to: Cell) {
        self.push(Move::new(from, to));
    }
    #[inline(always)]
    fn leaps(&mut self, from: Cell, to: G::Bits) {
        for cell in to.cells() {
            self.push(Move::new(from, cell));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, to: G::Bits, from: impl Fn(Cell) -> Cell) {
        for cell in to.cells() {
            self.push(Move::new(from(cell), cell));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, t: &Tables<G>, to: G::Bits, from: impl Fn(Cell) -> Cell) {
        for cell in to.cells() {
            for &kind in &t.promotions[usize::from(cell)] {
                self.push(Move::promoting(from(cell), cell, kind));
            }
        }
    }
}

/// Counting all moves.
pub(crate) struct Count<'p, G: Game>(pub &'p Scene<'p, G>);

impl<G: Game> Task<G::Bits> for Count<'_, G> {
    type Output = u32;

    #[inline(always)]
    fn run<F: Form<G::Bits>>(self, form: F) -> u32 {
        self.0.count(form, Afresh)
    }
}

impl<G: Game> Scene<'_, G> {
    /// Counts all moves, within code compiled for a form.
    #[inline(always)]
    pub fn count<F: Form<G::Bits>>(&self, form: F, slides: impl CountSlides<G>) -> u32 {
        let mut counter = Counter(0, slides);
        self.generate(form, Wanted::all::<G>(), &mut counter);
        counter.0
    }
}

/// Listing the wanted moves of a position.
pub(crate) struct List<'p, G: Game>(pub Scene<'p, G>, pub Wanted<G::Bits>, pub &'p mut Vec<Move>);

impl<G: Game> Task<G::Bits> for List<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form<G::Bits>>(self, form: F) {
        self.0.generate(form, self.1, self.2);
    }
}

/// Appends the wanted moves.
pub(crate) fn list<G: Game>(
    position: &Position<G>,
    simd: Simd,
    wanted: Wanted<G::Bits>,
    moves: &mut Vec<Move>,
) {
    run(simd, List(position.scene(), wanted, moves));
}

/// Counts all moves.
pub(crate) fn count<G: Game>(position: &Position<G>, simd: Simd) -> u32 {
    run(simd, Count(&position.scene()))
}

impl<G: Game> Position<G> {
    /// All legal moves, in no particular order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(128);
        self.add_legal(&mut moves);
        moves
    }

    /// Appends all legal moves.
    #[inline]
    pub fn add_legal(&self, moves: &mut Vec<Move>) {
        self.add_wanted(Simd::chosen(), Wanted::all::<G>(), moves);
    }

    /// Appends the legal captures, en passant included.
    #[inline]
    pub fn add_captures(&self, moves: &mut Vec<Move>) {
        let wanted = Wanted {
            to: self.side(self.side_to_move().other()),
            ..Wanted::all::<G>()
        };
        self.add_wanted(Simd::chosen(), wanted, moves);
    }

    /// Appends the legal moves that are wanted, computed in a certain form.
    #[inline]
    pub fn add_wanted(&self, simd: Simd, wanted: Wanted<G::Bits>, moves: &mut Vec<Move>) {
        G::list(self, simd, wanted, moves);
    }

    /// The number of legal moves, without listing them.
    #[inline]
    pub fn count_legal(&self) -> u64 {
        self.count_in(Simd::chosen())
    }

    /// The number of legal moves, computed in a certain form.
    #[inline]
    pub fn count_in(&self, simd: Simd) -> u64 {
        u64::from(G::count(self, simd))
    }

    /// Whether the side to move can move at all.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }

    /// Whether a move, however it was come by, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_with(mv, &mut Vec::new())
    }

    /// The same, with memory of the caller's to list moves in.
    pub fn is_legal_with(&self, mv: Move, scratch: &mut Vec<Move>) -> bool {
        let tables = G::tables();
        let on_board = |cell: Cell| usize::from(cell) < G::Bits::SIZE && tables.all.has(cell);
        let own = self.side(self.side_to_move());
        if !on_board(mv.from) || !on_board(mv.to) || !own.has(mv.from) || own.has(mv.to) {
            return false;
        }
        let wanted = Wanted {
            from: G::Bits::of(mv.from),
            to: G::Bits::of(mv.to),
        };
        scratch.clear();
        self.add_wanted(Simd::chosen(), wanted, scratch);
        scratch.contains(&mv)
    }

    /// What the generator looks at.
    #[inline(always)]
    pub(crate) fn scene(&self) -> Scene<'_, G> {
        Scene {
            men: &self.men,
            cells: &self.log.cells,
        }
    }
}
