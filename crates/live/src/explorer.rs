//! A running host of the Unity Explorer interface (spec 001): a game with that mod, or another
//! server of ours.

mod address;
mod answer;
mod echo;
mod exchange;
mod follow;

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use http::HeaderValue;
use scenewright_contract::{Cancel, ErrorKind, ExplorerLink, JsonMap, LinkStatus, ToolError};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::Notify;

use echo::Ids;
use exchange::Trouble;

pub use address::Address;

/// How often a waiting call looks whether its caller gave up.
const LOOK: Duration = Duration::from_millis(20);

/// Finds the host anew before every connection; the text says why there is none.
pub type Find = Box<dyn Fn() -> Result<Found, String> + Send + Sync>;

/// A host that was found.
#[derive(Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub address: Address,
    /// The token that it asks for, if that was found as well. It is shown nowhere else.
    pub token: Option<String>,
}

impl std::fmt::Debug for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A secret is not for logs.
        f.debug_struct("Found").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Who hears what comes over the link, and of the link itself.
pub type Listener = Box<dyn Fn(News) + Send + Sync>;

/// What comes over a link.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// An event of the host: its name and what it carries.
    Event(String, Value),
    /// The host is there, in words for people.
    Here(String),
    /// It is not, or no longer, in words for people.
    Away(String),
}

/// The link to a host. It has a thread of its own, which ends with it.
pub struct ExplorerHost {
    link: Arc<Link>,
    runtime: Option<Runtime>,
}

/// What calls and the event stream share.
struct Link {
    find: Find,
    /// The operator's, for a host that was found without one.
    token: Option<HeaderValue>,
    /// The one that was found, and the only address that it is for.
    found: Mutex<Option<(Address, HeaderValue)>>,
    /// Where this process listens itself; a call to there would never end.
    own: OnceLock<Vec<SocketAddr>>,
    listener: OnceLock<Listener>,
    ids: Ids,
    calls: AtomicU64,
    state: Mutex<State>,
    /// Rings when the event stream should be tried at once.
    nudge: Notify,
}

struct State {
    address: Option<Address>,
    /// Whether it answered last; none before anyone tried.
    connected: Option<bool>,
    since: SystemTime,
    problem: Option<String>,
}

impl State {
    /// The host, while it answers.
    fn host(&self) -> Option<&Address> {
        self.address.as_ref().filter(|_| self.connected == Some(true))
    }
}

impl ExplorerHost {
    /// A link to the host that `find` names. `token` is for hosts that ask for one. Nothing is
    /// connected before the first call, or [`ExplorerHost::follow`].
    pub fn new(find: Find, token: Option<&str>) -> io::Result<Self> {
        let token = token
            .map(bearer)
            .transpose()
            .map_err(|text| io::Error::new(io::ErrorKind::InvalidInput, text))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("explorer-link")
            .enable_all()
            .build()?;
        let state = State {
            address: None,
            connected: None,
            since: SystemTime::now(),
            problem: Some("nobody has looked for it yet".to_owned()),
        };
        let link = Link {
            find,
            token,
            found: Mutex::default(),
            own: OnceLock::new(),
            listener: OnceLock::new(),
            ids: Ids::new(),
            calls: AtomicU64::new(0),
            state: Mutex::new(state),
            nudge: Notify::new(),
        };
        Ok(Self { link: Arc::new(link), runtime: Some(runtime) })
    }

    /// Where this process listens itself; the host is never there.
    pub fn set_own(&self, own: Vec<SocketAddr>) {
        let _ = self.link.own.set(own);
    }

    /// Tell `listener` what comes from the host from now on; the first one stays.
    pub fn follow(&self, listener: Listener) {
        if self.link.listener.set(listener).is_ok()
            && let Some(runtime) = &self.runtime
        {
            runtime.spawn(follow::run(self.link.clone()));
        }
    }

    /// Ask, and wait for the answer for `timeout` at most, or until the caller gives up.
    fn ask(
        &self,
        message: Value,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<(Address, Value), ToolError> {
        let Some(runtime) = &self.runtime else { return Err(answer::away(None, "it is closed")) };
        let (send, receive) = mpsc::sync_channel(1);
        let link = self.link.clone();
        let task = runtime.spawn(async move {
            let asked = tokio::time::timeout(timeout, link.ask(&message)).await;
            let _ = send.send(asked.unwrap_or_else(|_| Err(late(timeout))));
        });
        loop {
            match receive.recv_timeout(LOOK) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    // The connection ends with the task, so the host can notice.
                    task.abort();
                    return Err(ToolError::cancelled());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(answer::away(None, "the link has ended"));
                }
            }
        }
    }
}

impl ExplorerLink for ExplorerHost {
    fn call(
        &self,
        tool: &str,
        arguments: JsonMap,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Value, ToolError> {
        let params = json!({ "name": tool, "arguments": arguments });
        let message = self.link.request(tool, "call_tool", params);
        let (address, answer) = self.ask(message, timeout, cancel)?;
        answer::of_tool(&address, tool, answer)
    }

    fn read(&self, uri: &str, timeout: Duration) -> Result<Value, ToolError> {
        let message = self.link.request("read", "read_resource", json!({ "uri": uri }));
        let (address, answer) = self.ask(message, timeout, &Cancel::default())?;
        answer::of_resource(&address, answer)
    }

    fn status(&self) -> LinkStatus {
        let state = self.link.state();
        LinkStatus {
            url: state.address.as_ref().map(Address::to_string),
            connected: state.host().is_some(),
            since: state.since,
            problem: state.problem.clone(),
        }
    }
}

impl Drop for ExplorerHost {
    fn drop(&mut self) {
        // The last owner may be inside another runtime, where waiting for this one is not allowed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Link {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request(&self, what: &str, method: &str, params: Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.next_id(what), "method": method, "params": params })
    }

    fn next_id(&self, what: &str) -> String {
        self.ids.of(self.calls.fetch_add(1, Ordering::Relaxed), what)
    }

    /// The host, looked for now. This process itself is none.
    fn find(&self) -> Result<Address, String> {
        let Found { address, token } = (self.find)()?;
        let own = self.own.get().map_or(&[][..], Vec::as_slice);
        if own.iter().any(|own| address.is_served_by(*own)) {
            return Err(format!("{address} is this server itself"));
        }
        let token = token.as_deref().map(bearer).transpose()?;
        *self.found() = token.map(|token| (address.clone(), token));
        Ok(address)
    }

    /// The token for a host: the one that was found with it, or else the operator's.
    fn token_for(&self, address: &Address) -> Option<HeaderValue> {
        let found = self.found();
        let found = found.as_ref().filter(|(host, _)| host == address);
        found.map(|(_, token)| token.clone()).or_else(|| self.token.clone())
    }

    fn found(&self) -> MutexGuard<'_, Option<(Address, HeaderValue)>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, news: News) {
        if let Some(listener) = self.listener.get() {
            listener(news);
        }
    }

    /// The host answered. Told when that is new; gives whether it is.
    fn is_here(&self, address: &Address) -> bool {
        let mut state = self.state();
        if state.host() == Some(address) {
            return false;
        }
        *state = State {
            address: Some(address.clone()),
            connected: Some(true),
            since: SystemTime::now(),
            problem: None,
        };
        drop(state);
        self.tell(News::Here(format!("Connected to the Unity Explorer host at {address}")));
        true
    }

    /// The host, or any, is not there. Told when that is new; the reason may change unsaid.
    fn is_away(&self, address: Option<&Address>, problem: &str) {
        let mut state = self.state();
        let is_new = state.connected != Some(false);
        state.problem = Some(problem.to_owned());
        state.address = address.cloned().or(state.address.take());
        if !is_new {
            return;
        }
        state.connected = Some(false);
        state.since = SystemTime::now();
        drop(state);
        self.tell(News::Away(answer::away(address, problem).message));
    }

    /// The host answers, but gives no events.
    fn is_silent(&self, address: &Address, problem: &str) {
        let mut state = self.state();
        if state.host() == Some(address) {
            state.problem = Some(format!("no events: {problem}"));
            return;
        }
        drop(state);
        self.is_away(Some(address), problem);
    }

    async fn ask(&self, message: &Value) -> Result<(Address, Value), ToolError> {
        // Events come from the connected host, so calls go there, whoever was found since.
        let connected = self.state().host().cloned();
        let address = match connected {
            Some(address) => address,
            None => self.find().map_err(|problem| {
                self.is_away(None, &problem);
                answer::away(None, &problem)
            })?,
        };
        match exchange::ask(&address, self.token_for(&address).as_ref(), message).await {
            Ok(answer) => {
                if self.is_here(&address) {
                    self.nudge.notify_one();
                }
                Ok((address, answer))
            }
            Err(Trouble::Unreachable(problem)) => {
                self.is_away(Some(&address), &problem);
                Err(answer::away(Some(&address), &problem))
            }
            Err(Trouble::Foreign(problem)) => {
                if self.state().host().is_none() {
                    self.is_away(Some(&address), &problem);
                }
                Err(answer::away(Some(&address), &problem))
            }
            Err(Trouble::Broken(problem)) => {
                let problem =
                    format!("the connection broke off ({problem}); a change may have been made");
                Err(answer::away(Some(&address), &problem))
            }
        }
    }
}

/// A token as HTTP carries it.
fn bearer(token: &str) -> Result<HeaderValue, &'static str> {
    let mut value = HeaderValue::try_from(format!("Bearer {token}"))
        .map_err(|_| "the token for the host has characters that HTTP cannot carry")?;
    value.set_sensitive(true);
    Ok(value)
}

fn late(timeout: Duration) -> ToolError {
    ToolError::new(ErrorKind::Timeout, "The Unity Explorer host did not answer in time")
        .hint("ask for less: a filter, a lower limit")
        .detail("timeoutMs", u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
}
