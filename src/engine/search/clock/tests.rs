use super::*;
use crate::chess::value::{mate_in, mated_in};

const MS: fn(u64) -> Duration = Duration::from_millis;

#[test]
fn the_hard_bound_never_reaches_what_is_left_after_the_overhead() {
    for left in [0, 1, 5, 10, 11, 50, 1000, 60_000, u64::from(u32::MAX)] {
        for increment in [0, 10, 1000, 60_000] {
            for moves in [1, 2, 16, 40] {
                for overhead in [0, 10, 5000] {
                    let (soft, hard) = share(MS(left), MS(increment), moves, MS(overhead));
                    assert!(soft <= hard && hard <= MS(left.saturating_sub(overhead)));
                }
            }
        }
    }
}

/// Plays a game in which every move takes its planned time; returns these times in milliseconds and the time
/// left.
fn spent(base: u64, increment: u64, moves: u64) -> (Vec<u64>, u64) {
    let mut left = MS(base);
    let times = (0..moves).map(|played| {
        let (soft, _) = share(left, MS(increment), moves_left(2 * played), MS(10));
        left = left - soft + MS(increment);
        soft.as_millis() as u64
    });
    (times.collect(), left.as_millis() as u64)
}

#[test]
fn the_clock_is_spent_by_the_time_games_are_decided() {
    for (base, increment) in [(2000, 20), (60_000, 600), (180_000, 2000), (300_000, 0)] {
        let (times, left) = spent(base, increment, 40);
        assert!(left < base * 2 / 5, "{base}+{increment}: {left} left after 40 moves");
        let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
        assert!(2 * least >= *most, "{base}+{increment}: {times:?}");
        let (times, left) = spent(base, increment, 200);
        assert!(left > 0 && times[199] >= increment * 3 / 4, "{base}+{increment}: {times:?}");
    }
}

/// Computed by hand: the soft bound is four fifths of the planned time, the hard bound four times it or the
/// share of what is left.
#[test]
fn bounds_are_shares_of_the_usable_time() {
    let micros = |left, increment, moves, overhead| {
        let (soft, hard) = share(MS(left), MS(increment), moves, MS(overhead));
        (soft.as_micros(), hard.as_micros())
    };
    assert_eq!(micros(60_000, 600, 40, 10), (1_679_800, 8_399_000), "the increment pays the overhead");
    assert_eq!(micros(60_000, 0, 2, 0), (21_000_000, 21_000_000), "35 % at most");
    assert_eq!(micros(1000, 0, 1, 10), (792_000, 891_000), "90 % before the time control");
    assert_eq!(micros(1000, 0, 16, 50), (23_750, 118_750), "half is reserved for overheads");
    assert_eq!(micros(1000, 20, 11, 30), (79_272, 339_500), "ten overheads less their increments");
}

#[test]
fn the_rest_of_a_game_is_planned_to_move_42() {
    for (ply, moves) in [(0, 40), (4, 40), (5, 40), (6, 39), (20, 32), (52, 16), (53, 16), (400, 16)] {
        assert_eq!(moves_left(ply), moves, "ply {ply}");
    }
}

/// The clock of the side to move counts, for the moves to the time control.
#[test]
fn a_clock_has_the_bounds_of_its_limits() {
    let mut limits = Limits { depth: Some(0), nodes: Some(0), moves_to_go: Some(20), ..Limits::default() };
    limits.clocks.white.left = Some(MS(60_000));
    limits.clocks.black.left = Some(MS(30_000));
    let bounds = |limits: &Limits, ply| {
        let clock = Clock::new(limits, ply, MS(10));
        (clock.soft, clock.hard)
    };
    let of = |left, moves| {
        let (soft, hard) = share(MS(left), MS(0), moves, MS(10));
        (Some(soft), Some(hard))
    };
    assert_eq!(bounds(&limits, 0), of(60_000, 20));
    assert_eq!(bounds(&limits, 1), of(30_000, 20));
    assert_eq!(bounds(&limits, 100), of(60_000, 20), "the number of the move does not count");
    limits.moves_to_go = Some(100);
    assert_eq!(bounds(&limits, 100), of(60_000, 40));
    limits.moves_to_go = Some(0);
    assert_eq!(bounds(&limits, 0), of(60_000, 1));
    let clock = Clock::new(&limits, 0, MS(10));
    assert_eq!((clock.depth, clock.nodes, clock.soft_nodes), (1, 1, u64::MAX));
    // A fixed time per move is no soft bound, and pays at most half of itself for the overhead.
    let limits = Limits::move_time(MS(100));
    assert_eq!(bounds(&limits, 0), (None, Some(MS(90))));
    assert_eq!(Clock::new(&limits, 0, MS(500)).hard, Some(MS(50)));
    let clock = Clock::new(&Limits::default(), 0, MS(10));
    assert_eq!((clock.depth, clock.nodes), (MAX_PLY as u32, u64::MAX));
}

#[test]
fn the_factor_of_the_soft_bound_has_a_part_for_each_sign_of_doubt() {
    let factor = |stable_for, score_drop, node_share| {
        stretch(Progress { stable_for, score_drop, node_share, forced: false })
    };
    for (found, expected) in [
        (factor(4, 10, 0.6), 0.97 * 1.08 * 1.0),
        (factor(20, 0, 0.6), 0.69),
        (factor(0, 200, 0.6), 1.25 * 1.6),
        (factor(0, -100, 0.6), 1.25 * 0.8),
        (factor(8, 0, 1.0), 0.69 * 0.6),
    ] {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }
}

#[test]
fn a_forced_move_takes_a_tenth() {
    let clock = |spent: u64| {
        let mut limits = Limits { begun: Instant::now().checked_sub(MS(spent)), ..Limits::default() };
        limits.clocks.white.left = Some(MS(1_000_000));
        limits.moves_to_go = Some(40);
        Clock::new(&limits, 0, Duration::ZERO)
    };
    // The soft bound is 20 s.
    let forced = Progress { stable_for: 0, score_drop: 0, node_share: 0.6, forced: true };
    let free = Progress { forced: false, ..forced };
    let stop = Stop::default();
    assert!(!clock(1000).soft_bound_passed(&stop, forced) && clock(2000).soft_bound_passed(&stop, forced));
    assert!(
        !clock(20_000).soft_bound_passed(&stop, free) && clock(25_000).soft_bound_passed(&stop, free),
        "1.25 of the soft bound"
    );
}

#[test]
fn a_mate_ends_the_search_if_it_is_short_enough() {
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let clock = Clock::new(&limits, 0, Duration::ZERO);
    for (value, expected) in
        [(mate_in(5), true), (mate_in(7), false), (mated_in(6), true), (mated_in(8), false), (900, false)]
    {
        assert_eq!(clock.mate_found(value), expected, "{value}");
    }
    assert!(!Clock::new(&Limits::default(), 0, Duration::ZERO).mate_found(mate_in(1)));
}

#[test]
fn a_sure_move_is_played_sooner_than_a_doubtful_one() {
    let sure = Progress { stable_for: 10, score_drop: -10, node_share: 0.95, forced: false };
    let doubtful = Progress { stable_for: 0, score_drop: 40, node_share: 0.3, forced: false };
    assert!(stretch(sure) < 0.6 && stretch(doubtful) > 1.6);
}

#[test]
fn time_pondered_counts_for_going_on_and_not_against_the_clock() {
    let now = Instant::now();
    let mut limits = Limits { begun: now.checked_sub(MS(5000)), ponder: true, ..Limits::default() };
    limits.clocks.white.left = Some(MS(20_000));
    let sure = Progress { stable_for: 3, score_drop: 0, node_share: 0.8, forced: false };
    let clock = Clock::new(&limits, 0, Duration::ZERO);
    let pondering = Stop::new(true);
    assert!(
        !clock.soft_bound_passed(&pondering, sure) && !clock.out_of_time(&pondering),
        "nothing counts yet"
    );
    pondering.ponder_hit();
    assert!(clock.soft_bound_passed(&pondering, sure) && clock.out_of_time(&pondering));
    // With more time left than was pondered the search continues.
    limits.clocks.white.left = Some(MS(900_000));
    let clock = Clock::new(&limits, 0, Duration::ZERO);
    assert!(!clock.soft_bound_passed(&pondering, sure) && !clock.out_of_time(&pondering));
    // Before the first result a search does not end, however long it has pondered.
    limits.clocks.white.left = Some(MS(1000));
    assert!(!Clock::new(&limits, 0, Duration::ZERO).out_of_time(&pondering));
}

#[test]
fn an_iteration_is_completed_if_its_soft_bound_passes_after_the_ponderhit() {
    let mut limits = Limits { begun: Instant::now().checked_sub(MS(5000)), ..Limits::default() };
    limits.clocks.white.left = Some(MS(900_000));
    let clock = Clock::new(&limits, 0, Duration::ZERO);
    let stop = Stop::new(true);
    stop.ponder_hit();
    let pondered = stop.hit_at().unwrap() - clock.begun;
    let bound = |time: Duration| clock.stretched.store(time.as_nanos() as u64, Ordering::Relaxed);
    bound(pondered + Duration::from_nanos(1));
    while clock.elapsed() <= pondered + Duration::from_nanos(1) {}
    assert!(!clock.out_of_time(&stop));
    bound(pondered);
    assert!(clock.out_of_time(&stop), "it had passed at the ponderhit");
}

#[test]
fn a_ponderhit_during_a_look_at_the_clock_does_not_charge_the_time_pondered() {
    let begun = Instant::now().checked_sub(Duration::from_secs(20));
    let mut limits = Limits { begun, ponder: true, ..Limits::default() };
    limits.clocks.white.left = Some(Duration::from_secs(100));
    let clock = Clock::new(&limits, 0, Duration::ZERO);
    let stops: Vec<Stop> = std::iter::repeat_with(|| Stop::new(true)).take(2000).collect();
    let looked_at = std::sync::atomic::AtomicUsize::new(0);
    let mut charged = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for (before, stop) in stops.iter().enumerate() {
                while looked_at.load(Ordering::Acquire) <= before {
                    std::thread::yield_now();
                }
                stop.ponder_hit();
            }
        });
        for (before, stop) in stops.iter().enumerate() {
            looked_at.store(before + 1, Ordering::Release);
            while stop.is_pondering() {
                charged += u32::from(clock.out_of_time(stop));
            }
        }
    });
    assert_eq!(charged, 0);
}

#[test]
fn time_begins_when_the_search_is_asked_for() {
    let begun = Instant::now().checked_sub(MS(80));
    let limits = Limits { begun, ..Limits::move_time(MS(100)) };
    let clock = Clock::new(&limits, 0, MS(20));
    assert!(clock.elapsed() >= MS(80) && clock.out_of_time(&Stop::default()));
}

#[test]
fn pondering_and_infinite_searches_are_not_charged() {
    let mut limits = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
    let pondering = Stop::new(true);
    let clock = Clock::new(&limits, 0, Duration::ZERO);
    assert!(!clock.out_of_time(&pondering));
    pondering.ponder_hit();
    assert!(clock.out_of_time(&pondering));
    limits.infinite = true;
    assert!(!Clock::new(&limits, 0, Duration::ZERO).out_of_time(&Stop::default()));
}
