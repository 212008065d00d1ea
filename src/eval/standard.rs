//! The evaluator that plays, chosen while the program runs.

use std::{
    fmt,
    path::PathBuf,
    str::FromStr,
    sync::{Arc, OnceLock},
};

use super::{
    Classical, Evaluator, Material,
    network::{Network, Neural, file::NetworkError},
};
use crate::{
    position::{Delta, Position},
    value::Value,
};

/// The network inside the program, if it was built with one: see `build.rs`.
const EMBEDDED: Option<&[u8]> = embedded();

#[cfg(network)]
const fn embedded() -> Option<&'static [u8]> {
    Some(include_bytes!(env!("ZUGWERK_NETWORK")))
}

#[cfg(not(network))]
const fn embedded() -> Option<&'static [u8]> {
    None
}

/// The kinds of evaluators there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A network: [`Neural`].
    Network,
    /// Weights of what a person would count: [`Classical`].
    Classical,
    /// Piece values: [`Material`].
    Material,
}

impl Kind {
    /// What plays if nothing else is asked for: the network, in a program that has one.
    pub const DEFAULT: Self = if EMBEDDED.is_some() { Self::Network } else { Self::Classical };

    /// The names of all kinds.
    pub const NAMES: [&'static str; 3] = ["network", "classical", "material"];

    /// The name of this one.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    /// ```
    /// use zugwerk::eval::Kind;
    /// assert_eq!("classical".parse(), Ok(Kind::Classical));
    /// assert!("best".parse::<Kind>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, String> {
        [Self::Network, Self::Classical, Self::Material]
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("expected {}, got \"{name}\"", Self::NAMES.join(", ")))
    }
}

/// Which evaluator is to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its kind.
    pub kind: Kind,
    /// The file of the network; none for the one inside the program.
    pub file: Option<PathBuf>,
}

impl Default for Choice {
    fn default() -> Self {
        Self { kind: Kind::DEFAULT, file: None }
    }
}

impl Choice {
    /// The network in the file, or the one inside the program.
    ///
    /// # Errors
    ///
    /// [`NoNetwork`] if there is none.
    pub fn network(&self) -> Result<Arc<Network>, NoNetwork> {
        /// The network inside the program, read once however many evaluators there are.
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

/// Why there is no network to play with.
#[derive(Debug, thiserror::Error)]
pub enum NoNetwork {
    /// None was built in, and no file was named.
    #[error("expected the file of a network: this program was built without one")]
    Embedded,
    /// The one inside the program is no network of this program's format.
    #[error("the network inside the program: {0}")]
    Damaged(NetworkError),
    /// The file is none.
    #[error("\"{}\": {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: NetworkError,
    },
}

/// An evaluator that can be made as it is asked for.
pub trait Choose: Evaluator + Default {
    /// The evaluator that `choice` names.
    ///
    /// # Errors
    ///
    /// A reason, in words, if its network is missing or damaged.
    fn choose(choice: &Choice) -> Result<Self, String>;
}

/// The evaluator Zugwerk plays with, in every part of the program: one of all there are.
///
/// ```
/// use zugwerk::eval::{Choice, Choose as _, Kind, Standard};
/// let material = Standard::choose(&Choice { kind: Kind::Material, file: None }).unwrap();
/// assert!(matches!(material, Standard::Material(_)));
/// ```
#[derive(Clone, Debug)]
#[repr(u8)] // Which one it is, is asked with every move: so it stands in a byte of its own, not among the values of another field.
pub enum Standard {
    /// A network.
    Network(Neural),
    /// The classical evaluator.
    Classical(Classical),
    /// Material.
    Material(Material),
}

impl Default for Standard {
    /// The [`Kind::DEFAULT`], with the network inside the program; classical if that cannot be read.
    fn default() -> Self {
        Self::choose(&Choice::default()).unwrap_or_else(|_| Self::Classical(Classical::default()))
    }
}

impl Choose for Standard {
    fn choose(choice: &Choice) -> Result<Self, String> {
        Ok(match choice.kind {
            Kind::Network => {
                Self::Network(Neural::new(choice.network().map_err(|reason| reason.to_string())?))
            }
            Kind::Classical => Self::Classical(Classical::default()),
            Kind::Material => Self::Material(Material),
        })
    }
}

/// Does the same with whichever evaluator it is.
macro_rules! each {
    ($standard:expr, $evaluator:ident => $work:expr) => {
        match $standard {
            Self::Network($evaluator) => $work,
            Self::Classical($evaluator) => $work,
            Self::Material($evaluator) => $work,
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
            // Of a copy: the delta that the others see need never stand in memory.
            Self::Classical(classical) => classical.push(after, &{ *delta }),
            Self::Material(material) => material.push(after, delta),
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
