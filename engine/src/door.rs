//! Doors to code that is compiled here alone, once for each game.
//!
//! A generic function is compiled anew in each crate that uses it, and only as well as that crate is. So what is large
//! or hot goes through a function that is not generic: it is given the number of a game, and what is of that game as
//! `dyn Any`; [`with_game`](hexmate_movegen::with_game) goes on with the game's type.

use std::any::Any;

const SAME: &str = "it is of the game that the number stands for";

/// What came through a door, with its type again.
pub(crate) fn through<T: Any>(value: &dyn Any) -> &T {
    value.downcast_ref().expect(SAME)
}

/// The same for what is changed.
pub(crate) fn through_mut<T: Any>(value: &mut dyn Any) -> &mut T {
    value.downcast_mut().expect(SAME)
}

/// What was made behind a door.
pub(crate) fn made<T: Any>(value: Box<dyn Any>) -> T {
    *value.downcast().expect(SAME)
}
