//! Work that grows with a message, beside the message loop. One thread passes the messages of all
//! clients; while it reads sixteen mebibytes of one, the others would wait. Such work is done where
//! it is called, but the loop goes on without it on another thread.

use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Frame, SizeHint};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;
use tokio_util::sync::PollSemaphore;

/// What has more bytes than this is handled beside the loop; for less, changing threads takes
/// longer than the work.
pub(crate) const LARGE: usize = scenewright_contract::call::LARGE;

/// So much work is done beside the loop at once. Each takes a thread of the few that tools run on,
/// and many times its message in memory.
const PLACES: usize = 4;

static WORK: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(PLACES)));
static WRITING: Semaphore = Semaphore::const_new(PLACES);

/// Do what grows with `size`.
pub(crate) fn run<T>(size: usize, work: impl FnOnce() -> T) -> T {
    if size <= LARGE {
        return work();
    }
    // It cannot wait here; when many write at once, the loop takes its share.
    match WRITING.try_acquire() {
        Ok(_place) => step_aside(work),
        Err(_) => work(),
    }
}

/// The same for a future: each of its steps, while `is_large` says so.
pub(crate) fn steps<F: Future, L: Fn() -> bool>(is_large: L, future: F) -> Steps<F, L> {
    Steps { future: Box::pin(future), is_large, places: PollSemaphore::new(WORK.clone()) }
}

pub(crate) struct Steps<F, L> {
    future: Pin<Box<F>>,
    is_large: L,
    places: PollSemaphore,
}

impl<F: Future, L: Fn() -> bool + Unpin> Future for Steps<F, L> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        if !(self.is_large)() {
            return self.future.as_mut().poll(cx);
        }
        let _place = ready!(self.places.poll_acquire(cx));
        step_aside(|| self.future.as_mut().poll(cx))
    }
}

/// A body whose pieces take their time to be made, as large as `size` says before each.
pub(crate) struct Pieces<B, S> {
    body: B,
    size: S,
}

impl<B, S> Pieces<B, S> {
    pub(crate) fn new(size: S, body: B) -> Self {
        Self { body, size }
    }
}

impl<B: Body + Unpin, S: Fn() -> usize + Unpin> Body for Pieces<B, S> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let size = (self.size)();
        run(size, || Pin::new(&mut self.body).poll_frame(cx))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn step_aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        // A runtime of one thread has no other, and is only in tests.
        _ => work(),
    }
}
