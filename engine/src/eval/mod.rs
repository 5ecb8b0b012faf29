//! Static evaluation: the room for it, and what stands in it.
//!
//! [`Evaluation`] is all that the search knows. There is one so far, [`handmade`]; another one is another
//! folder beside it, and a choice in [`Engine`](crate::Engine).

mod evaluation;
mod handmade;

pub(crate) use evaluation::Evaluation;
pub use handmade::{Handmade, MopUp, Trace, Weights, WeightsError, WeightsFile};
