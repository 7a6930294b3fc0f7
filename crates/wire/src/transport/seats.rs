//! The places for connections. When all are taken, one that does nothing makes room for a new one:
//! who connects and says nothing, or half of something, keeps nobody out.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

/// A connection has so long to say its first word before it may have to go.
const GRACE: Duration = Duration::from_millis(250);

/// All places of a server.
pub(crate) struct Seats {
    most: usize,
    opened: Instant,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    next: u64,
    seats: BTreeMap<u64, Arc<State>>,
}

/// The place of one connection, until it is dropped or given to another.
pub(crate) struct Seat {
    /// Which connection it is, counted from the server's start.
    pub(crate) id: u64,
    /// Where it comes from.
    pub(crate) peer: SocketAddr,
    seats: Arc<Seats>,
    state: Arc<State>,
}

struct State {
    /// Told when another connection gets the place.
    end: CancellationToken,
    /// It has asked something whole, and may ask.
    known: AtomicBool,
    calls: AtomicUsize,
    streams: AtomicUsize,
    /// Whether something runs that was not counted here.
    runs: OnceLock<Box<dyn Fn() -> bool + Send + Sync>>,
    /// When it was last heard of, in milliseconds since the server's start.
    heard: AtomicU64,
}

/// How much a connection would be missed, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// It has said nothing that could be answered.
    Unknown,
    /// It waits with its next question.
    Idle,
    /// It listens.
    Listening,
}

impl Seats {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, opened: Instant::now(), taken: Mutex::default() })
    }

    /// A place for a connection of `peer`; none when something runs on every other. When many come
    /// at once, the last of them wait until it is seen who of the first says something.
    pub(crate) async fn find(self: &Arc<Self>, peer: SocketAddr) -> Option<Arc<Seat>> {
        let until = Instant::now() + 2 * GRACE;
        loop {
            match self.take(peer) {
                None if Instant::now() < until && self.has_new() => {
                    tokio::time::sleep(GRACE / 10).await;
                }
                seat => return seat,
            }
        }
    }

    fn take(self: &Arc<Self>, peer: SocketAddr) -> Option<Arc<Seat>> {
        let mut taken = self.taken();
        if taken.seats.len() >= self.most {
            let id = taken.longest_idle(self.now())?;
            // The other connection ends when it hears of it; its place is free now.
            let left = taken.seats.remove(&id)?;
            left.end.cancel();
            tracing::debug!(connection = id, "a connection that did nothing made room for another");
        }
        let id = taken.next;
        taken.next += 1;
        let state = Arc::new(State {
            end: CancellationToken::new(),
            known: AtomicBool::new(false),
            calls: AtomicUsize::new(0),
            streams: AtomicUsize::new(0),
            runs: OnceLock::new(),
            heard: AtomicU64::new(self.now()),
        });
        taken.seats.insert(id, state.clone());
        Some(Arc::new(Seat { id, peer, seats: self.clone(), state }))
    }

    /// Whether one of the others might have to go soon.
    fn has_new(&self) -> bool {
        self.taken().seats.values().any(|state| state.standing() == Some(Standing::Unknown))
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn longest_idle(&self, now: u64) -> Option<u64> {
        let idle = self.seats.iter().filter_map(|(id, state)| {
            Some((state.standing()?, state.heard.load(Ordering::Relaxed), *id))
        });
        let (standing, heard, id) = idle.min()?;
        // What it says may be on its way. Whoever is known does not go in its stead.
        let is_new = standing == Standing::Unknown
            && u128::from(now.saturating_sub(heard)) < GRACE.as_millis();
        (!is_new).then_some(id)
    }
}

impl State {
    /// None while something runs.
    fn standing(&self) -> Option<Standing> {
        let runs = self.runs.get().is_some_and(|runs| runs());
        if runs || self.calls.load(Ordering::Relaxed) > 0 {
            return None;
        }
        Some(match self.known.load(Ordering::Relaxed) {
            false => Standing::Unknown,
            true if self.streams.load(Ordering::Relaxed) > 0 => Standing::Listening,
            true => Standing::Idle,
        })
    }
}

impl Seat {
    /// Wait until another connection got the place.
    pub(crate) async fn lost(&self) {
        self.state.end.cancelled().await;
    }

    /// The client has asked something whole that it may ask.
    pub(crate) fn hear(&self) {
        self.state.known.store(true, Ordering::Relaxed);
        self.touch();
    }

    /// Ask `runs` as well whether anything runs.
    pub(crate) fn watch(&self, runs: impl Fn() -> bool + Send + Sync + 'static) {
        let _ = self.state.runs.set(Box::new(runs));
    }

    fn touch(&self) {
        self.state.heard.store(self.seats.now(), Ordering::Relaxed);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.seats.taken().seats.remove(&self.id);
    }
}

/// What a request keeps its connection for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// An answer.
    Call,
    /// Whatever happens.
    Stream,
}

/// One request on a connection, from when it is complete until this is dropped.
pub(crate) struct Turn {
    seat: Arc<Seat>,
    purpose: Purpose,
    begun: AtomicBool,
}

impl Turn {
    pub(crate) fn new(seat: Arc<Seat>, purpose: Purpose) -> Self {
        Self { seat, purpose, begun: AtomicBool::new(false) }
    }

    /// The request is complete.
    pub(crate) fn begin(&self) {
        if !self.begun.swap(true, Ordering::Relaxed) {
            self.seat.hear();
            self.count().fetch_add(1, Ordering::Relaxed);
        }
    }

    fn count(&self) -> &AtomicUsize {
        match self.purpose {
            Purpose::Call => &self.seat.state.calls,
            Purpose::Stream => &self.seat.state.streams,
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if *self.begun.get_mut() {
            self.count().fetch_sub(1, Ordering::Relaxed);
            self.seat.touch();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Long enough after the others.
    fn later(seats: &Seats) {
        for state in seats.taken().seats.values() {
            let heard = state.heard.load(Ordering::Relaxed);
            state.heard.store(heard.saturating_sub(1000), Ordering::Relaxed);
        }
    }

    /// Places that have been there for a while.
    fn seats(most: usize) -> Arc<Seats> {
        let opened = Instant::now().checked_sub(Duration::from_secs(60)).expect("a minute ago");
        Arc::new(Seats { most, opened, taken: Mutex::default() })
    }

    const PEER: SocketAddr =
        SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 1);

    fn begun(seat: &Arc<Seat>, purpose: Purpose) -> Turn {
        let turn = Turn::new(seat.clone(), purpose);
        turn.begin();
        turn
    }

    #[test]
    fn who_would_be_missed_least_makes_room() {
        let seats = seats(4);
        let [busy, listens, idle, silent] = [0; 4].map(|_| seats.take(PEER).unwrap());
        let _call = begun(&busy, Purpose::Call);
        let _stream = begun(&listens, Purpose::Stream);
        drop(begun(&idle, Purpose::Call));
        let lost = || [&busy, &listens, &idle, &silent].map(|seat| seat.state.end.is_cancelled());
        later(&seats);
        // Each new one asks at once, so that it stays.
        let mut calls = Vec::new();
        let mut come = || {
            let seat = seats.take(PEER)?;
            calls.push(begun(&seat, Purpose::Call));
            Some(())
        };
        come().unwrap();
        assert_eq!(lost(), [false, false, false, true]);
        come().unwrap();
        assert_eq!(lost(), [false, false, true, true]);
        come().unwrap();
        assert_eq!(lost(), [false, true, true, true]);
        assert!(come().is_none(), "something runs on every other");
    }

    #[test]
    fn of_those_who_say_nothing_the_oldest_goes_and_a_place_that_is_left_is_free() {
        let seats = seats(2);
        let [first, second] = [0; 2].map(|_| seats.take(PEER).unwrap());
        assert!(seats.take(PEER).is_none(), "what they say may be on its way");
        later(&seats);
        let third = seats.take(PEER).unwrap();
        assert!(first.state.end.is_cancelled() && !second.state.end.is_cancelled());
        // That it ends later takes no place from anyone.
        drop(first);
        drop(third);
        let _fourth = seats.take(PEER).unwrap();
        assert!(!second.state.end.is_cancelled());
    }

    #[test]
    fn a_conversation_says_itself_whether_anything_runs() {
        let seats = seats(1);
        let seat = seats.take(PEER).unwrap();
        let runs = Arc::new(AtomicBool::new(true));
        seat.watch({
            let runs = runs.clone();
            move || runs.load(Ordering::Relaxed)
        });
        assert!(seats.take(PEER).is_none());
        runs.store(false, Ordering::Relaxed);
        later(&seats);
        assert!(seats.take(PEER).is_some());
    }
}
