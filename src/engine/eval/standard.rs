//! The evaluator that plays, chosen at run time.

use std::{
    fmt,
    hint::cold_path,
    mem,
    path::PathBuf,
    str::FromStr,
    sync::{Arc, OnceLock},
};

use super::{
    Classical, Evaluator, Material,
    network::{Network, Neural, file::NetworkError},
};
use crate::chess::{
    position::{Delta, Position},
    value::Value,
};

/// The network embedded in the program, if it was built with one: see `build.rs`.
const EMBEDDED: Option<&[u8]> = embedded();

#[cfg(network)]
const fn embedded() -> Option<&'static [u8]> {
    Some(include_bytes!(env!("ZUGWERK_NETWORK")))
}

#[cfg(not(network))]
const fn embedded() -> Option<&'static [u8]> {
    None
}

/// The kinds of evaluators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// A network: [`Neural`].
    Network,
    /// Weights for the features of classical evaluation: [`Classical`].
    Classical,
    /// Piece values: [`Material`].
    Material,
}

impl EvaluatorKind {
    /// The default: the network in a program that has one, otherwise the classical evaluator.
    pub const DEFAULT: Self = if EMBEDDED.is_some() { Self::Network } else { Self::Classical };

    /// The names of all kinds.
    pub const NAMES: [&'static str; 3] = ["network", "classical", "material"];

    /// The name of this kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl fmt::Display for EvaluatorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EvaluatorKind {
    type Err = String;

    /// ```
    /// use zugwerk::engine::eval::EvaluatorKind;
    /// assert_eq!("classical".parse(), Ok(EvaluatorKind::Classical));
    /// assert!("best".parse::<EvaluatorKind>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, String> {
        [Self::Network, Self::Classical, Self::Material]
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("expected {}, got \"{name}\"", Self::NAMES.join(", ")))
    }
}

/// The choice of an evaluator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatorChoice {
    /// Its kind.
    pub kind: EvaluatorKind,
    /// The file of the network; `None` for the embedded one.
    pub file: Option<PathBuf>,
}

impl Default for EvaluatorChoice {
    fn default() -> Self {
        Self { kind: EvaluatorKind::DEFAULT, file: None }
    }
}

impl EvaluatorChoice {
    /// Returns the network of the file, or the embedded one.
    ///
    /// # Errors
    ///
    /// [`NoNetwork`] if there is none.
    pub fn network(&self) -> Result<Arc<Network>, NoNetwork> {
        /// The embedded network, read once for all evaluators.
        static READ: OnceLock<Arc<Network>> = OnceLock::new();
        if let Some(file) = &self.file {
            let read = Network::read(file).map(Arc::new);
            return read.map_err(|error| NoNetwork::File { file: file.clone(), error });
        }
        if let Some(network) = READ.get() {
            return Ok(Arc::clone(network));
        }
        let bytes = EMBEDDED.ok_or(NoNetwork::Embedded)?;
        let network = Network::from_bytes(bytes).map_err(NoNetwork::Damaged)?;
        Ok(Arc::clone(READ.get_or_init(|| Arc::new(network))))
    }
}

/// The reason why no network is available.
#[derive(Debug, thiserror::Error)]
pub enum NoNetwork {
    /// The program has no embedded network, and no file was named.
    #[error("expected the file of a network: this program was built without one")]
    Embedded,
    /// The embedded network does not have this program's format.
    #[error("the network inside the program: {0}")]
    Damaged(NetworkError),
    /// The file is not a network.
    #[error("\"{}\": {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The error in it.
        error: NetworkError,
    },
}

/// An evaluator that can be made from an [`EvaluatorChoice`].
pub trait Choose: Evaluator + Default {
    /// Makes the evaluator that `choice` names.
    ///
    /// # Errors
    ///
    /// A message if its network is missing or damaged.
    fn choose(choice: &EvaluatorChoice) -> Result<Self, String>;

    /// Whether both evaluate every position alike.
    fn plays_like(&self, other: &Self) -> bool;
}

/// The evaluator that every part of the program plays with: one of the available kinds.
///
/// ```
/// use zugwerk::engine::eval::{Choose as _, EvaluatorChoice, EvaluatorKind, Standard};
/// let material = Standard::choose(&EvaluatorChoice { kind: EvaluatorKind::Material, file: None }).unwrap();
/// assert!(matches!(material, Standard::Material(_)));
/// ```
#[derive(Clone, Debug)]
// The discriminant is read with every move, so it has a byte of its own instead of a niche in another field.
#[repr(u8)]
pub enum Standard {
    /// A network.
    Network(Neural),
    /// The classical evaluator.
    Classical(Classical),
    /// Material.
    Material(Material),
}

impl Default for Standard {
    /// Returns the evaluator of [`EvaluatorKind::DEFAULT`] with the embedded network; the classical one if
    /// that cannot be read.
    fn default() -> Self {
        Self::choose(&EvaluatorChoice::default()).unwrap_or_else(|_| Self::Classical(Classical::default()))
    }
}

impl Choose for Standard {
    fn choose(choice: &EvaluatorChoice) -> Result<Self, String> {
        Ok(match choice.kind {
            EvaluatorKind::Network => {
                Self::Network(Neural::new(choice.network().map_err(|reason| reason.to_string())?))
            }
            EvaluatorKind::Classical => Self::Classical(Classical::default()),
            EvaluatorKind::Material => Self::Material(Material),
        })
    }

    fn plays_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Network(one), Self::Network(other)) => one.network() == other.network(),
            _ => mem::discriminant(self) == mem::discriminant(other),
        }
    }
}

/// Runs the same code for every evaluator.
macro_rules! each {
    ($standard:expr, $evaluator:ident => $work:expr) => {
        match $standard {
            Self::Network($evaluator) => $work,
            Self::Classical($evaluator) => {
                cold_path();
                $work
            }
            Self::Material($evaluator) => {
                cold_path();
                $work
            }
        }
    };
}

impl Evaluator for Standard {
    fn reset(&mut self, root: &Position) {
        each!(self, evaluator => evaluator.reset(root));
    }

    #[inline(always)]
    fn push(&mut self, after: &Position, delta: &Delta) {
        match self {
            Self::Network(network) => network.push(after, delta),
            Self::Classical(classical) => {
                cold_path();
                // Passes a copy, so that the delta that the network uses need not be stored in memory.
                classical.push(after, &{ *delta });
            }
            Self::Material(material) => {
                cold_path();
                material.push(after, delta);
            }
        }
    }

    fn push_null(&mut self, after: &Position) {
        each!(self, evaluator => evaluator.push_null(after));
    }

    #[inline]
    fn pop(&mut self) {
        each!(self, evaluator => evaluator.pop());
    }

    #[inline(always)]
    fn evaluate(&mut self, position: &Position) -> Value {
        each!(self, evaluator => evaluator.evaluate(position))
    }
}
