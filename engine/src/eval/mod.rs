//! Static evaluation: the room for it, and what stands in it.
//!
//! [`Evaluation`] is all that the search knows. There are two, [`handmade`] and [`network`]; another one is another
//! folder beside them, and another one in [`Evaluator`], the choice of an [`Engine`](crate::Engine).

mod choice;
mod evaluation;
mod facts;
mod handmade;
mod network;

pub use choice::Evaluator;
pub(crate) use evaluation::{Evaluation, Standing};
pub use handmade::{Handmade, MopUp, Trace, Weights, WeightsError, WeightsFile};
pub use network::{Features, Network, NetworkError, NetworkWeights, Numbers, View, shape_of};
