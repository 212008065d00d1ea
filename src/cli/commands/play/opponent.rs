//! The players: those of the study, and the engine with limited search.

use std::{
    str::FromStr,
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use rand::{SeedableRng as _, rngs::StdRng};
use shakmaty::Move;
use zugwerk::{
    chess::position::Position,
    engine::{
        eval::{Classical, Material, Standard},
        search::{Limits, Searcher, Settings, Silent, Stop, Strength},
    },
    halt::Halt,
    lessons::{
        Algorithm,
        simple::{Greedy, Player, Random, Searching},
    },
    words::counted,
};

/// The hash table of the engine, in MiB.
const HASH: usize = 32;

/// The interval at which the search of a textbook player is checked for its end.
const STOP_CHECK: Duration = Duration::from_millis(10);

/// The levels of `--level`, from the weakest player to the strongest.
const LADDER: [Spec; 12] = [
    Spec::Random,
    Spec::Material,
    Spec::Greedy,
    Spec::Study(Algorithm::AlphaBeta, 2),
    Spec::Study(Algorithm::Prototype, 2),
    Spec::Study(Algorithm::Prototype, 3),
    Spec::Elo(1800),
    Spec::Elo(1950),
    Spec::Elo(2100),
    Spec::Elo(2250),
    Spec::Elo(2400),
    Spec::Nodes(1_000_000),
];

/// The players on the command line besides the textbook algorithms, with their numbers.
const NAMES: [&str; 7] = ["human", "random", "material", "greedy", "search:DEPTH", "nodes:N", "elo:POINTS"];

/// A player on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spec {
    Human,
    Random,
    Material,
    Greedy,
    Study(Algorithm, u32),
    Depth(u32),
    Nodes(u64),
    Elo(i32),
}

impl Spec {
    /// Returns the player of a level: a level from 1, or a number of Elo points.
    pub(super) fn of_level(text: &str) -> Result<Self, String> {
        let number = text.parse::<i32>().ok();
        let rung = number.and_then(|n| LADDER.get(usize::try_from(n).ok()?.checked_sub(1)?)).copied();
        let elo = number.filter(|elo| Strength::ELO.contains(elo)).map(Spec::Elo);
        let (weakest, strongest) = (Strength::ELO.start(), Strength::ELO.end());
        let expected =
            || format!("expected 1 to {}, or Elo points from {weakest} to {strongest}", LADDER.len());
        rung.or(elo).ok_or_else(expected)
    }

    /// Its name in the game record.
    pub(super) fn name(self) -> String {
        match self {
            Self::Human => "Human".into(),
            Self::Random => "random".into(),
            Self::Material => "material".into(),
            Self::Greedy => "greedy".into(),
            Self::Study(algorithm, depth) => format!("{algorithm}:{depth}"),
            Self::Depth(depth) => format!("Zugwerk depth {depth}"),
            Self::Nodes(nodes) => format!("Zugwerk {}", counted(nodes, "node", "nodes")),
            Self::Elo(elo) => format!("Zugwerk {elo}"),
        }
    }

    /// Whether its moves depend on a seed. Textbook players choose among equally good moves.
    pub(super) fn is_random(self) -> bool {
        !matches!(self, Self::Depth(_) | Self::Nodes(_))
    }

    /// Returns the player; `None` for a person. The study players use the classical evaluator, so that their
    /// strength does not depend on the evaluator of the engine.
    pub(super) fn player(self, seed: u64) -> Option<Opponent> {
        let study = |player: Box<dyn Player>| Some(Opponent::Study(player, None));
        match self {
            Self::Human => None,
            Self::Random => study(Box::new(Random::new(seed))),
            Self::Material => study(Box::new(Greedy::<Material>::new(seed))),
            Self::Greedy => study(Box::new(Greedy::<Classical>::new(seed))),
            Self::Study(algorithm, depth) => {
                let halt = Halt::default();
                let player = Searching::<Classical>::new(algorithm, depth, seed).until(&halt);
                Some(Opponent::Study(Box::new(player), Some(halt)))
            }
            Self::Depth(depth) => Some(Opponent::engine(Limits::depth(depth), None, seed)),
            Self::Nodes(nodes) => Some(Opponent::engine(Limits::nodes(nodes), None, seed)),
            Self::Elo(elo) => Some(Opponent::engine(Limits::default(), Some(Strength::of(elo)), seed)),
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
        if NAMES.contains(&name) && number.is_some() {
            return Err(format!("expected `{name}` without a number"));
        }
        match name {
            "human" => Ok(Self::Human),
            "random" => Ok(Self::Random),
            "material" => Ok(Self::Material),
            "greedy" => Ok(Self::Greedy),
            "search" => Ok(Self::Depth(depth(4)?)),
            "nodes" => Ok(Self::Nodes(number.unwrap_or(10_000))),
            "elo" => {
                let elo = number.map_or(Some(1500), |n| i32::try_from(n).ok());
                elo.filter(|elo| Strength::ELO.contains(elo)).map(Self::Elo).ok_or_else(|| {
                    format!("expected Elo points from {} to {}", Strength::ELO.start(), Strength::ELO.end())
                })
            }
            _ => {
                let algorithm: Algorithm = name.parse().map_err(|_| {
                    let algorithms = Algorithm::ALL.map(|algorithm| format!("{algorithm}:DEPTH"));
                    let known = [NAMES.map(str::to_owned).as_slice(), &algorithms].concat();
                    format!("expected one of {}", known.join(", "))
                })?;
                Ok(Self::Study(algorithm, depth(3)?))
            }
        }
    }
}

/// An opponent to play against.
pub(super) enum Opponent {
    /// A textbook player. One that searches has a halt that ends its search.
    Study(Box<dyn Player>, Option<Halt>),
    Engine {
        searcher: Box<Searcher<Standard>>,
        limits: Box<Limits>,
        strength: Option<Strength>,
        chance: Box<StdRng>,
    },
}

impl Opponent {
    fn engine(limits: Limits, strength: Option<Strength>, seed: u64) -> Self {
        let chance = Box::new(StdRng::seed_from_u64(seed));
        let searcher = Box::new(Searcher::new(HASH));
        Self::Engine { searcher, limits: Box::new(limits), strength, chance }
    }

    /// Chooses a move for the side to move. A textbook player finds none if `stop` is raised.
    pub(super) fn choose(&mut self, position: &Position, stop: &Stop) -> Option<Move> {
        match self {
            Self::Study(player, None) => player.choose(position),
            Self::Study(player, Some(halt)) => stoppable(stop, halt, || player.choose(position)),
            Self::Engine { searcher, limits, strength, chance } => {
                let (mut limits, mut settings) = ((**limits).clone(), Settings::default());
                if let Some(strength) = strength {
                    let root_moves = limits.root_moves(position).len();
                    strength.restrain(root_moves, &mut limits, &mut settings);
                }
                let mut found = searcher.search(position, &limits, stop, &settings, &mut Silent);
                if let Some(strength) = strength {
                    strength.choose(&mut found, chance);
                }
                found.best
            }
        }
    }
}

/// Runs `search`. Sets `halt`, which ends it, when `stop` is raised.
fn stoppable<T>(stop: &Stop, halt: &Halt, search: impl FnOnce() -> T) -> T {
    halt.clear();
    let (searching, ended) = channel::<()>();
    thread::scope(|scope| {
        // If the system refuses the thread, nothing ends the search early.
        let _ = thread::Builder::new().spawn_scoped(scope, move || {
            while ended.recv_timeout(STOP_CHECK) == Err(RecvTimeoutError::Timeout) {
                if stop.is_stopped() {
                    halt.set();
                }
            }
        });
        let found = search();
        drop(searching);
        found
    })
}
