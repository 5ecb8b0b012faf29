//! The value of a position, and the code that stands for it while a table is built.

/// What the side to move gets with best play, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Category {
    /// It is mated.
    Loss,
    /// It is stalemated, in a game where that costs it something.
    Stalemated,
    /// Neither.
    Draw,
    /// It stalemates the opponent, in a game where that gains something.
    GivesStalemate,
    /// It mates.
    Win,
}

impl Category {
    /// Every category, worst first.
    pub const ALL: [Category; 5] = [
        Category::Loss,
        Category::Stalemated,
        Category::Draw,
        Category::GivesStalemate,
        Category::Win,
    ];

    /// The same seen from the other side.
    pub const fn reversed(self) -> Category {
        match self {
            Category::Loss => Category::Win,
            Category::Stalemated => Category::GivesStalemate,
            Category::Draw => Category::Draw,
            Category::GivesStalemate => Category::Stalemated,
            Category::Win => Category::Loss,
        }
    }

    /// The word for it in texts.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Loss => "loss",
            Category::Stalemated => "stalemated",
            Category::Draw => "draw",
            Category::GivesStalemate => "gives stalemate",
            Category::Win => "win",
        }
    }
}

/// The value of a position for the side to move: its category, and the distance to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Value {
    /// What the side to move gets.
    pub category: Category,
    /// Plies to the mate or stalemate if the better side hurries and the other delays; 0 for a draw.
    pub plies: u16,
}

impl Value {
    /// A draw.
    pub const DRAW: Value = Value {
        category: Category::Draw,
        plies: 0,
    };

    /// A number that is larger the better the position is for the side to move: an earlier win, a later loss.
    pub fn rank(self) -> i32 {
        let plies = i32::from(self.plies);
        let base = 100_000 * self.category as i32;
        match self.category {
            Category::Win | Category::GivesStalemate => base - plies,
            _ => base + plies,
        }
    }

    /// The value, for the side that moves, of a move that leads to a position of this value. No table has as many plies
    /// as 16 bits can hold; where there are that many, they stay.
    pub fn before(self) -> Value {
        match self.category {
            Category::Draw => self,
            category => Value {
                category: category.reversed(),
                plies: self.plies.saturating_add(1),
            },
        }
    }
}

/// A value in 16 bits. An end that is n plies away is `n` for a mate and `STALE + n` for a stalemate: n is
/// even if the side to move is the victim, odd if it is not, so that the number says both.
///
/// Which code is better for the side to move follows from the numbers: the smallest odd one is best, then
/// comes [`DRAW`], then the largest even one.
pub(crate) type Code = u16;

/// The position is invalid, or another one represents its symmetry class.
pub(crate) const ILLEGAL: Code = 0xffff;
/// A draw; while a table is built: nothing else is known yet.
pub(crate) const DRAW: Code = 0xfffe;
/// Only while a table is built: to be examined.
pub(crate) const CANDIDATE: Code = 0xfffc;
/// The side to move is stalemated, in a game where a stalemate costs it something.
pub(crate) const STALE: Code = 0x4000;
/// The side to move is mated.
pub(crate) const MATE: Code = 0;

/// Whether the side to move wins or gives stalemate.
pub(crate) const fn is_odd(code: Code) -> bool {
    code & 1 == 1 && code != ILLEGAL
}

/// Whether the side to move is eventually mated or stalemated.
pub(crate) const fn is_even(code: Code) -> bool {
    code & 1 == 0 && code < CANDIDATE
}

/// The value of a code; `None` for [`ILLEGAL`].
pub(crate) fn decode(code: Code) -> Option<Value> {
    let (category, plies) = match code {
        ILLEGAL => return None,
        DRAW | CANDIDATE => return Some(Value::DRAW),
        _ if code < STALE && code & 1 == 0 => (Category::Loss, code),
        _ if code < STALE => (Category::Win, code),
        _ if code & 1 == 0 => (Category::Stalemated, code - STALE),
        _ => (Category::GivesStalemate, code - STALE),
    };
    Some(Value { category, plies })
}

/// The inverse of [`decode`].
#[cfg(test)]
pub(crate) fn encode(value: Value) -> Code {
    match value.category {
        Category::Draw => DRAW,
        Category::Loss | Category::Win => value.plies,
        Category::Stalemated | Category::GivesStalemate => STALE + value.plies,
    }
}

/// The best code that the side to move can choose, from the codes after its moves, none of them [`ILLEGAL`];
/// `None` without a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best {
    /// The smallest even code.
    even: Code,
    /// The largest odd code.
    odd: Option<Code>,
    draw: bool,
}

impl Best {
    pub const NONE: Best = Best {
        even: DRAW,
        odd: None,
        draw: false,
    };

    #[inline(always)]
    pub fn add(&mut self, code: Code) {
        if is_even(code) {
            self.even = self.even.min(code);
        } else if is_odd(code) {
            self.odd = self.odd.max(Some(code));
        } else {
            self.draw = true;
        }
    }

    /// The code of the position itself.
    #[inline(always)]
    pub fn code(self) -> Option<Code> {
        if self.even != DRAW {
            Some(self.even + 1)
        } else if self.draw {
            Some(DRAW)
        } else {
            self.odd.map(|code| code + 1)
        }
    }
}

/// How good a code is for the side that moves to it: greater is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Rank(u16);

impl Rank {
    /// The rank of an invalid position.
    pub const NONE: Rank = Rank(0);
    const DRAW: Rank = Rank(0x8000);

    /// The rank of a code.
    #[inline(always)]
    pub fn after(code: Code) -> Rank {
        match code {
            ILLEGAL => Rank::NONE,
            DRAW | CANDIDATE => Rank::DRAW,
            _ if code & 1 == 1 => Rank(1 + code / 2),
            _ => Rank(u16::MAX - code / 2),
        }
    }

    /// The code of a position whose best move has this rank; `None` if it has no move.
    #[inline(always)]
    pub fn before(self) -> Option<Code> {
        match self {
            Rank::NONE => None,
            Rank::DRAW => Some(DRAW),
            Rank(rank) if rank < Rank::DRAW.0 => Some(2 * rank),
            Rank(rank) => Some(2 * (u16::MAX - rank) + 1),
        }
    }
}

/// The better of two codes for the side to move.
pub(crate) fn better(a: Code, b: Code) -> Code {
    match (is_odd(a), is_odd(b)) {
        (true, true) => a.min(b),
        (true, false) => a,
        (false, true) => b,
        // A draw is the largest even number.
        (false, false) => a.max(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back_and_keep_the_order() {
        let mut values = vec![Value::DRAW];
        for plies in 0..300 {
            let categories = if plies % 2 == 0 {
                [Category::Loss, Category::Stalemated]
            } else {
                [Category::Win, Category::GivesStalemate]
            };
            values.extend(categories.map(|category| Value { category, plies }));
        }
        for &a in &values {
            assert_eq!(decode(encode(a)), Some(a));
            for &b in &values {
                let best = if a.rank() > b.rank() { a } else { b };
                assert_eq!(better(encode(a), encode(b)), encode(best), "{a:?} {b:?}");
                let mut choice = Best::NONE;
                choice.add(encode(a));
                choice.add(encode(b));
                let best = [a.before(), b.before()];
                let best = best.into_iter().max_by_key(|v| v.rank()).unwrap();
                assert_eq!(choice.code(), Some(encode(best)), "{a:?} {b:?}");
                let rank = Rank::after(encode(a)).max(Rank::after(encode(b)));
                assert_eq!(rank.before(), choice.code(), "{a:?} {b:?}");
            }
        }
        let longest = Value {
            category: Category::Win,
            plies: u16::MAX,
        };
        assert_eq!(longest.before().plies, u16::MAX);
        assert_eq!(decode(ILLEGAL), None);
        assert_eq!(Best::NONE.code(), None);
        assert_eq!(Rank::after(ILLEGAL).before(), None);
    }
}
