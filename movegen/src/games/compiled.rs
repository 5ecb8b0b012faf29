//! The functions of a game that are compiled once, see [`Game`](super::Game).

/// Their bodies, the same for every game.
macro_rules! compiled {
    () => {
        fn build_tables() -> Tables<Self> {
            Tables::build()
        }

        fn list(p: &Position<Self>, simd: Simd, wanted: Wanted<Self::Bits>, moves: &mut Vec<Move>) {
            legal::list(p, simd, wanted, moves);
        }

        fn count(p: &Position<Self>, simd: Simd) -> u32 {
            legal::count(p, simd)
        }

        fn perft(p: &Position<Self>, simd: Simd, depth: u32) -> u64 {
            perft::count(p, simd, depth)
        }

        fn play(p: &mut Position<Self>, mv: Move) {
            p.play_here(mv);
        }

        fn attackers(
            p: &Position<Self>,
            simd: Simd,
            cell: Cell,
            side: Side,
            occupied: Self::Bits,
        ) -> Self::Bits {
            attacks::attackers(p, simd, cell, side, occupied)
        }

        fn in_check(p: &Position<Self>, simd: Simd) -> bool {
            attacks::in_check(p, simd)
        }

        fn slides(kind: Kind, cell: Cell, occupied: Self::Bits) -> Self::Bits {
            Self::tables().slides(kind, cell, occupied)
        }

        fn attacks_in(simd: Simd, query: Query<Self::Bits>) -> Self::Bits {
            attacks::find::<Self>(simd, query)
        }

        fn count_slides_in(simd: Simd, kind: Kind, cell: Cell, occupancies: &[Self::Bits]) -> u64 {
            attacks::sum::<Self>(simd, kind, cell, occupancies)
        }

        fn build(setup: &Setup<Self>) -> Result<Position<Self>, PositionError> {
            setup.checked()
        }

        fn parse(text: &str) -> Result<Position<Self>, FenError> {
            fen::parse(text)
        }

        fn write(p: &Position<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            fen::write(p, f)
        }
    };
}
