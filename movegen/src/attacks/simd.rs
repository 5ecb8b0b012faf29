//! Which backend computes sliding attacks.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::portable;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// A family of instructions for sliding attacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Simd {
    /// Plain 64-bit arithmetic; runs everywhere (on x86-64 before about 2015 with the feature `old-processors` only).
    Portable,
    /// Byte shuffles of 256 bits.
    Avx2,
    /// Byte permutations and bit tests of 512 bits (AVX-512 F, BW, VL, VBMI, VPOPCNTDQ).
    Avx512,
}

/// No backend has this name, or this processor cannot run it, or none at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum SimdError {
    #[error("'{0}' is not a backend for sliding attacks; expected portable, avx2 or avx512")]
    Unknown(String),
    #[error("this processor has no {0}; it can run {1}")]
    Unavailable(Simd, String),
    #[error(
        "this program was built for processors with popcnt, lzcnt, bmi1 and bmi2 (of 2015 and later); expected one built with --features old-processors, as the packages are"
    )]
    TooOld,
}

impl Simd {
    /// The environment variable that forces a backend.
    pub const VARIABLE: &'static str = "HEXMATE_SIMD";

    /// Every backend, the fastest last.
    pub const ALL: [Simd; 3] = [Simd::Portable, Simd::Avx2, Simd::Avx512];

    /// Whether this processor can run the backend.
    pub fn is_available(self) -> bool {
        match self {
            Simd::Portable => portable::is_available(),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => avx2::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => avx512::Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Simd::Avx2 | Simd::Avx512 => false,
        }
    }

    /// The backends that this processor can run, the fastest last.
    pub fn available() -> impl Iterator<Item = Simd> {
        Self::ALL.into_iter().filter(|s| s.is_available())
    }

    /// The backend named by `HEXMATE_SIMD`, or else the fastest that this processor can run.
    ///
    /// # Errors
    /// If the variable names no backend, or one that this processor cannot run, or it can run none.
    pub fn from_environment() -> Result<Simd, SimdError> {
        let fastest = Self::available().last().ok_or(SimdError::TooOld)?;
        let Some(name) = std::env::var_os(Self::VARIABLE) else {
            return Ok(fastest);
        };
        let simd: Simd = name.to_string_lossy().parse()?;
        if simd.is_available() {
            return Ok(simd);
        }
        let names: Vec<String> = Self::available().map(|s| s.to_string()).collect();
        Err(SimdError::Unavailable(simd, names.join(", ")))
    }

    /// The backend of this process, chosen at first use: [`Simd::from_environment`], or the fastest if the
    /// variable has a bad value (programs report that when they start).
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
        let found = Self::ALL.into_iter().find(|s| s.to_string() == name);
        found.ok_or_else(|| SimdError::Unknown(name.to_owned()))
    }
}
