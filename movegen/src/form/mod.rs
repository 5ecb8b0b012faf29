//! The forms in which sliding attacks are computed, one for each family of processors.
//!
//! All forms give the same answers. The generator is written once, generic over [`Form`]; each form
//! compiles it with the instructions it may use. Which one runs is chosen once for the process, by
//! what the processor has ([`Simd::chosen`]), and entered once for each list of moves or perft.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::bits::{Bits, Cell};
use crate::games::Game;
use crate::piece::Kind;
use crate::position::kind_of;
use crate::shifts::PawnStep;
use crate::tables::{SetStep, Tables};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod paths;
mod portable;

/// A family of instructions for sliding attacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Simd {
    /// Plain 64-bit arithmetic; runs everywhere.
    Portable,
    /// Byte shuffles of 256 bits.
    Avx2,
    /// Byte permutations and bit tests of 512 bits (AVX-512 F, BW, VBMI).
    Avx512,
}

/// No form has this name, or this processor cannot run it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum SimdError {
    #[error("'{0}' is no form of sliding attacks; expected portable, avx2 or avx512")]
    Unknown(String),
    #[error("this processor has no {0}; it can run {1}")]
    Unavailable(Simd, String),
}

impl Simd {
    /// The environment variable that forces a form.
    pub const VARIABLE: &'static str = "HEXMATE_SIMD";

    /// Every form, the fastest last.
    pub const ALL: [Simd; 3] = [Simd::Portable, Simd::Avx2, Simd::Avx512];

    /// Whether this processor can run the form.
    pub fn is_available(self) -> bool {
        match self {
            Simd::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => avx2::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => avx512::Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Simd::Avx2 | Simd::Avx512 => false,
        }
    }

    /// The forms that this processor can run, the fastest last.
    pub fn available() -> impl Iterator<Item = Simd> {
        Self::ALL.into_iter().filter(|f| f.is_available())
    }

    /// The form named by `HEXMATE_SIMD`, or else the fastest that this processor can run.
    ///
    /// # Errors
    /// If the variable names no form, or one that this processor cannot run.
    pub fn from_environment() -> Result<Simd, SimdError> {
        let fastest = Self::available().last().unwrap_or(Simd::Portable);
        let Some(name) = std::env::var_os(Self::VARIABLE) else {
            return Ok(fastest);
        };
        let form: Simd = name.to_string_lossy().parse()?;
        if form.is_available() {
            return Ok(form);
        }
        let names: Vec<String> = Self::available().map(|f| f.to_string()).collect();
        Err(SimdError::Unavailable(form, names.join(", ")))
    }

    /// The form of this process, chosen at first use: [`Simd::from_environment`], or the fastest where
    /// the variable is faulty (programs report that fault when they start).
    #[inline]
    pub fn chosen() -> Simd {
        static CHOSEN: OnceLock<Simd> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let fastest = Self::available().last().unwrap_or(Simd::Portable);
            Self::from_environment().unwrap_or(fastest)
        })
    }
}

impl fmt::Display for Simd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Simd::Portable => "portable",
            Simd::Avx2 => "avx2",
            Simd::Avx512 => "avx512",
        })
    }
}

impl FromStr for Simd {
    type Err = SimdError;

    fn from_str(name: &str) -> Result<Self, SimdError> {
        let found = Self::ALL.into_iter().find(|f| f.to_string() == name);
        found.ok_or_else(|| SimdError::Unknown(name.to_owned()))
    }
}

/// What the lines to a king mean for his side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lines<B> {
    /// Where a piece must go to end every check from afar: all cells where there is none.
    pub allowed: B,
    /// Own pieces that alone stand between the king and a slider.
    pub pinned: B,
}

/// The pieces whose moves are asked for.
pub(crate) struct Movers<'p, G: Game> {
    /// For each cell its piece, right where those that move stand.
    pub cells: &'p [u8],
    /// The pieces of each kind, of both sides.
    pub kinds: &'p [G::Bits],
    /// The cells of those that move.
    pub on: G::Bits,
}

impl<G: Game> Movers<'_, G> {
    /// The kind of a piece that moves.
    #[inline(always)]
    pub fn kind_on(&self, cell: Cell) -> Kind {
        kind_of(self.cells[usize::from(cell)])
    }
}

/// Sliding attacks in one family of instructions.
///
/// Methods are inlined into whatever [`Form::enter`] compiled; a value of a form exists only where its
/// instructions may run.
pub(crate) trait Form<B: Bits>: Copy + 'static {
    /// A set of cells made ready for queries.
    type Set: Copy;
    /// The sliders of one side made ready for being looked out for.
    type Sliders<'p, G: Game<Bits = B>>: Copy;

    /// Makes a set ready.
    fn set(self, bits: B) -> Self::Set;

    /// Makes the sliders among `them` ready; `kinds` has one set for each kind.
    fn sliders<G: Game<Bits = B>>(self, kinds: &[B], them: B) -> Self::Sliders<'_, G>;

    /// How many moves onto `to` the movers have along their paths; leaps are not counted.
    fn count<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        movers: &Movers<'_, G>,
        occupied: Self::Set,
        to: Self::Set,
    ) -> u32;

    /// Calls `each(from, to)` for those moves.
    fn visit<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        movers: &Movers<'_, G>,
        occupied: Self::Set,
        to: Self::Set,
        each: impl FnMut(Cell, Cell),
    );

    /// The cells of `to` that one piece of `kind` sees along its paths.
    fn query<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Self::Set,
        to: Self::Set,
        each: impl FnMut(Cell),
    );

    /// How many those are.
    fn query_count<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Self::Set,
        to: Self::Set,
    ) -> u32;

    /// The same for several sets `to`, with one look-out.
    fn query_counts<G: Game<Bits = B>, const N: usize>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Self::Set,
        to: [Self::Set; N],
    ) -> [u32; N];

    /// Checks and pins on the lines to `king`, in one look-out along all paths.
    fn lines<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        king: Cell,
        occupied: Self::Set,
        own: Self::Set,
        sliders: &Self::Sliders<'_, G>,
    ) -> Lines<B>;

    /// All cells of a set moved by one step of the game's pawns, see [`PawnStep`].
    #[inline(always)]
    fn step<G: Game<Bits = B>, const WHITE: bool, const CAPTURE: bool, const PLACE: usize>(
        self,
        table: &SetStep<B>,
        set: B,
    ) -> B {
        PawnStep::<G, WHITE, CAPTURE, PLACE>::apply(table, set)
    }

    /// Whether a slider sees the cell.
    fn seen<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        cell: Cell,
        occupied: Self::Set,
        sliders: &Self::Sliders<'_, G>,
    ) -> bool;

    /// The sliders that see the cell.
    fn seen_from<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        cell: Cell,
        occupied: Self::Set,
        sliders: &Self::Sliders<'_, G>,
    ) -> B;

    /// Runs a task in code compiled for this form.
    fn enter<T: Task<B>>(self, task: T) -> T::Output;
}

/// Something to be compiled for each form.
pub(crate) trait Task<B: Bits> {
    /// What comes out.
    type Output;

    /// Does it. Implementations must be `#[inline(always)]`, or they miss the form's instructions.
    fn run<F: Form<B>>(self, form: F) -> Self::Output;
}

/// Runs a task in a form that this processor can run; another form falls back to the portable one.
#[inline(always)]
pub(crate) fn run<B, T>(simd: Simd, task: T) -> T::Output
where
    B: Bits + Words,
    T: Task<B>,
{
    #[cfg(target_arch = "x86_64")]
    match simd {
        Simd::Portable => {}
        Simd::Avx2 => {
            if let Some(form) = avx2::Avx2::detect() {
                return paths::InPathSpace(form).enter(task);
            }
        }
        Simd::Avx512 => {
            if let Some(form) = avx512::Avx512::detect() {
                return paths::InPathSpace(form).enter(task);
            }
        }
    }
    let _ = simd;
    portable::Portable::detect().enter(task)
}

/// Words that every form knows.
#[cfg(target_arch = "x86_64")]
pub trait Words: paths::Vectors {}
#[cfg(target_arch = "x86_64")]
impl<B: paths::Vectors> Words for B {}
/// Words that every form knows.
#[cfg(not(target_arch = "x86_64"))]
pub trait Words: Bits {}
#[cfg(not(target_arch = "x86_64"))]
impl<B: Bits> Words for B {}
