//! Who plays: the players of the study, and the engine with its thinking limited.

use std::str::FromStr;

use shakmaty::{ByColor, Move};
use zugwerk::{
    eval::{Material, PieceSquare},
    position::Position,
    search::{ClockTime, Limits, Searcher, Settings, Silent, Stop},
    study::{
        Algorithm,
        players::{Greedy, Player, Random, Searching},
    },
};

/// The hash table of an engine, in MiB.
const HASH: usize = 32;

/// The ladder of `--level`, from the weakest player to the strongest.
const LADDER: [Spec; 12] = [
    Spec::Random,
    Spec::Material,
    Spec::Greedy,
    Spec::Study(Algorithm::AlphaBeta, 2),
    Spec::Study(Algorithm::Prototype, 2),
    Spec::Study(Algorithm::Prototype, 3),
    Spec::Nodes(500),
    Spec::Nodes(2_000),
    Spec::Nodes(10_000),
    Spec::Nodes(50_000),
    Spec::Nodes(250_000),
    Spec::Nodes(1_000_000),
];

/// The number of levels.
pub(super) const LEVELS: i64 = LADDER.len() as i64;

/// A player, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spec {
    Human,
    Random,
    Material,
    Greedy,
    Study(Algorithm, u32),
    Depth(u32),
    Nodes(u64),
}

impl Spec {
    /// The player of `level`, from 1 to [`LEVELS`].
    pub(super) fn of_level(level: usize) -> Self {
        LADDER[level.clamp(1, LADDER.len()) - 1]
    }

    /// What a game record calls it.
    pub(super) fn name(self) -> String {
        match self {
            Self::Human => "Human".into(),
            Self::Random => "random".into(),
            Self::Material => "material".into(),
            Self::Greedy => "greedy".into(),
            Self::Study(algorithm, depth) => format!("{algorithm}:{depth}"),
            Self::Depth(depth) => format!("Zugwerk depth {depth}"),
            Self::Nodes(nodes) => format!("Zugwerk {nodes} nodes"),
        }
    }

    /// The player itself; `None` for a person.
    pub(super) fn player(self, seed: u64) -> Option<Opponent> {
        let study = |player: Box<dyn Player>| Some(Opponent::Study(player));
        match self {
            Self::Human => None,
            Self::Random => study(Box::new(Random::new(seed))),
            Self::Material => study(Box::new(Greedy::<Material>::new(seed))),
            Self::Greedy => study(Box::new(Greedy::<PieceSquare>::new(seed))),
            Self::Study(algorithm, depth) => {
                study(Box::new(Searching::<PieceSquare>::new(algorithm, depth, seed)))
            }
            Self::Depth(depth) => Some(Opponent::engine(Limits::depth(depth))),
            Self::Nodes(nodes) => Some(Opponent::engine(Limits::nodes(nodes))),
        }
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = text.split_once(':').map_or((text, None), |(name, n)| (name, Some(n)));
        let number = number
            .map(|n| n.parse::<u64>().ok().filter(|&n| n > 0))
            .map(|n| n.ok_or_else(|| format!("expected a positive number after `{name}:`")))
            .transpose()?;
        let depth = |otherwise: u32| -> Result<u32, String> {
            let plies = number.map_or(Ok(otherwise), u32::try_from);
            plies.ok().filter(|&plies| plies <= 240).ok_or_else(|| "expected a depth of at most 240".into())
        };
        match name {
            "human" => Ok(Self::Human),
            "random" => Ok(Self::Random),
            "material" => Ok(Self::Material),
            "greedy" => Ok(Self::Greedy),
            "search" => Ok(Self::Depth(depth(4)?)),
            "nodes" => Ok(Self::Nodes(number.unwrap_or(10_000))),
            _ => {
                let algorithm: Algorithm = name.parse().map_err(|_| {
                    format!(
                        "`{name}` is none of human, random, material, greedy, search:DEPTH, nodes:N, {}",
                        Algorithm::ALL.map(|algorithm| format!("{algorithm}:DEPTH")).join(", ")
                    )
                })?;
                Ok(Self::Study(algorithm, depth(3)?))
            }
        }
    }
}

/// Somebody to play against.
pub(super) enum Opponent {
    Study(Box<dyn Player>),
    Engine { searcher: Box<Searcher<PieceSquare>>, limits: Limits },
}

impl Opponent {
    fn engine(limits: Limits) -> Self {
        Self::Engine { searcher: Box::new(Searcher::new(HASH)), limits }
    }

    /// A move for the side to move; the engine also keeps within `clocks`, if the game has any.
    pub(super) fn choose(&mut self, position: &Position, clocks: Option<ByColor<ClockTime>>) -> Option<Move> {
        match self {
            Self::Study(player) => player.choose(position),
            Self::Engine { searcher, limits } => {
                let limits = Limits { clocks: clocks.unwrap_or_default(), ..limits.clone() };
                let stop = Stop::default();
                searcher.search(position, &limits, &stop, &Settings::default(), &mut Silent).best
            }
        }
    }
}
