//! The runner as the wire sees it: synchronous tools on worker threads, each under its timeout.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use scenewright_contract::echo::brief;
use scenewright_contract::prompt::{Completion, PromptInfo, PromptValues};
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{
    By, Call, Cancel, ErrorKind, Origin, Outcome, Reserved, ToolError, ToolInfo,
};
use scenewright_toolkit::policy::Toolsets;
use scenewright_toolkit::{Admitted, Runner, jobs, prompts, resources};
use scenewright_tools_explorer::is_served;
use scenewright_tools_godot::resources::OUTSIDE;
use scenewright_wire::host::{Answer, Preview, Question};
use scenewright_wire::{Change, Changes, Explorer, Host, Identity};
use serde_json::{Value, json};

use crate::approval::Waiting;
use crate::roots::Roots;
use crate::world_host::WorldHost;
use crate::{approval, instructions, memory};

/// What a model reads before it does anything has no more bytes, unless it was asked for.
const LIST: usize = 12_000;
/// The tool that opens a project.
const OPEN: &str = "project.open";

/// The runner behind a server.
pub struct ToolHost {
    runner: Arc<Runner>,
    world: WorldHost,
    /// Nobody named a project, so the folders decide that the client works in.
    follows_client: bool,
    roots: Arc<Roots>,
    /// What a model is told at the beginning, and for which projects that is.
    told: Mutex<Option<Told>>,
    /// Calls of clients that cannot ask a person.
    waiting: Arc<Waiting>,
    /// What is no tool may take so long.
    patience: Duration,
}

struct Told {
    edition: u64,
    awaits_folders: bool,
    instructions: Arc<str>,
}

impl ToolHost {
    /// Put `runner` behind a server that announces `changes`.
    pub fn new(runner: Arc<Runner>, changes: &Changes) -> Arc<Self> {
        Self::serving(runner, changes, false, None)
    }

    /// The same, for a server that may follow its client to the folders it works in. Calls wait for a
    /// person in this user's state folder, if there is one.
    pub fn serving(
        runner: Arc<Runner>,
        changes: &Changes,
        follows_client: bool,
        state: Option<PathBuf>,
    ) -> Arc<Self> {
        let announced = changes.clone();
        runner.follow(Box::new(move |_| {
            let lists = [Change::Tools, Change::Resources, Change::Prompts];
            lists.into_iter().for_each(|list| announced.announce(list));
        }));
        Arc::new(Self {
            world: WorldHost::new(&runner, changes),
            runner,
            follows_client,
            roots: Arc::default(),
            told: Mutex::default(),
            waiting: Waiting::new(state),
            patience: Duration::from_secs(30),
        })
    }

    fn instructions(&self) -> Arc<str> {
        let (edition, awaits_folders) = (self.runner.edition(), self.roots.are_awaited());
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(told) = &*told
            && (told.edition, told.awaits_folders) == (edition, awaits_folders)
        {
            return told.instructions.clone();
        }
        let instructions: Arc<str> = instructions::of(&self.runner, awaits_folders).into();
        *told = Some(Told { edition, awaits_folders, instructions: instructions.clone() });
        instructions
    }
}

/// Run an admitted call: at once if it is that quick, otherwise on a worker thread, under its
/// timeout.
pub async fn run(admitted: Admitted) -> Result<Outcome, ToolError> {
    if admitted.is_instant() {
        return admitted.run();
    }
    run_on_a_worker(admitted).await
}

async fn run_on_a_worker(admitted: Admitted) -> Result<Outcome, ToolError> {
    let (tool, timeout, cancel) = (admitted.tool(), admitted.timeout(), admitted.cancel());
    let long = admitted.may_outlast_its_client();
    let long = long.then(|| (admitted.runner().clone(), cancel.clone()));
    let work = tokio::task::spawn_blocking(move || {
        let result = admitted.run();
        memory::note_work();
        result
    });
    let ended = async move {
        match tokio::time::timeout(timeout, work).await {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => Err(ToolError::new(ErrorKind::Internal, format!("{tool}: {error}"))),
            Err(_) => {
                // The tool sees this at its next look and stops; its place is free only then.
                cancel.cancel();
                Err(jobs::timed_out(tool, timeout))
            }
        }
    };
    match long {
        Some((runner, cancel)) => go_on_without_client(runner, tool, cancel, ended).await,
        None => ended.await,
    }
}

/// Wait for a call as long as a client does; after that it goes on by itself, and the answer says how to ask for its own.
async fn go_on_without_client(
    runner: Arc<Runner>,
    tool: &'static str,
    cancel: Cancel,
    ended: impl Future<Output = Result<Outcome, ToolError>> + Send + 'static,
) -> Result<Outcome, ToolError> {
    let started = Instant::now();
    let mut ended = Box::pin(ended);
    if let Ok(result) = tokio::time::timeout(jobs::PATIENCE, &mut ended).await {
        return result;
    }
    let job = runner.jobs().keep(tool, started, cancel);
    let told = job.outcome();
    tokio::spawn(async move { job.finish(ended.await) });
    Ok(told)
}

impl Host for ToolHost {
    fn identity(&self) -> Identity {
        Identity {
            name: "scenewright",
            title: "scenewright",
            version: env!("CARGO_PKG_VERSION"),
            instructions: self.instructions(),
        }
    }

    fn explorer(&self) -> Option<&dyn Explorer> {
        is_served(&self.runner).then_some(&self.world as &dyn Explorer)
    }

    fn list_bytes(&self) -> Option<usize> {
        (self.runner.settings().toolsets == Toolsets::Lean).then_some(LIST)
    }

    fn gives_data(&self) -> bool {
        self.runner.settings().structured
    }

    fn allows_writes(&self) -> bool {
        self.runner.settings().allow_writes
    }

    fn catalog(&self) -> Vec<&ToolInfo> {
        self.runner.catalog()
    }

    fn is_listed(&self, tool: &ToolInfo) -> bool {
        let workspace = self.runner.workspace();
        // A tool for an engine that is not open helps nobody find their way; nor does opening a
        // project where the one that is meant is open.
        let fits = match tool.engine {
            Some(engine) => workspace.candidates(Some(engine)).next().is_some(),
            None => tool.id != OPEN || workspace.is_without(),
        };
        self.runner.settings().toolsets.list(tool.toolset, tool.lean && fits)
    }

    fn expect_folders(&self) {
        if self.follows_client {
            self.roots.expect();
        }
    }

    fn folders_expected(&self) -> Option<u64> {
        self.follows_client.then(|| self.roots.last())
    }

    fn take_folders(&self, number: u64, addresses: Option<Vec<String>>) -> Answer<()> {
        let (runner, roots) = (self.runner.clone(), self.roots.clone());
        on_a_worker(move || {
            // A question that was asked since has the newer answer.
            if let Some(addresses) = addresses.filter(|_| number == roots.last()) {
                runner.work_in(addresses.iter().filter_map(|one| folder(one)).collect());
            }
            roots.settle(number);
            Ok(())
        })
    }

    fn settling(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        self.roots.wait()
    }

    fn edition(&self) -> u64 {
        self.runner.edition()
    }

    fn call(&self, mut call: Call) -> Answer<Outcome> {
        if let Some(consent) = &call.consent {
            call.witness = Some(Arc::new(approval::Bound::new(&consent.shown)));
        }
        let client = call.who.client.as_deref().unwrap_or_default();
        tracing::debug!(tool = %brief(&call.tool), client, "a call");
        if call.asks || call.consent.is_some() || !self.runner.settings().require_confirm {
            return self.carry_out(call);
        }
        let (runner, waiting, again) = (self.runner.clone(), self.waiting.clone(), call.clone());
        let first = self.carry_out(call);
        Box::pin(async move {
            match first.await {
                Err(error) if approval::needs_a_person(&error) => {
                    approval::settle(waiting, runner, again, error).await
                }
                result => result,
            }
        })
    }

    fn question(&self, call: Call, refused: ToolError) -> Answer<Question> {
        let runner = self.runner.clone();
        Box::pin(async move {
            let asked = approval::ask(runner, call, &refused, approval::new_seed()?).await?;
            Ok(Question { text: asked.question(), shown: asked.shown })
        })
    }

    fn preview(&self, call: Call) -> Answer<Preview> {
        let runner = self.runner.clone();
        Box::pin(async move {
            let (question, changes) = approval::preview(runner, call).await?;
            Ok(Preview { question, changes })
        })
    }

    fn declined(&self, call: &Call) {
        self.runner.record_declined(call, &By::Client);
    }

    fn reserve(&self, call: &Call) -> Result<Reserved, ToolError> {
        self.runner.reserve(call)
    }

    fn health(&self) -> Result<Value, ToolError> {
        let health = self.runner.health();
        if !health.ready {
            return Err(ToolError::new(ErrorKind::NotReady, "no running engine is connected")
                .hint("start the editor or the game, or serve without --require-live"));
        }
        Ok(json!({
            "status": "ok",
            "ready": health.ready,
            "mode": health.mode,
            "projects": health.projects,
            "uptimeMs": u64::try_from(health.uptime.as_millis()).unwrap_or(u64::MAX),
        }))
    }

    fn resources(&self, origin: &Origin) -> Answer<Vec<ResourceInfo>> {
        self.other("resources/list", "", origin, |runner| Ok(resources::list(runner)))
    }

    fn templates(&self) -> &[TemplateInfo] {
        self.runner.templates()
    }

    fn read(&self, uri: String, origin: &Origin) -> Answer<ResourceText> {
        let read = {
            let uri = uri.clone();
            move |runner: &Arc<Runner>| resources::read(runner, &uri)
        };
        self.other("resources/read", &uri, origin, read)
    }

    fn prompts(&self) -> Vec<PromptInfo> {
        self.runner.prompts()
    }

    fn prompt(&self, name: String, values: PromptValues, origin: &Origin) -> Answer<String> {
        let fill = {
            let name = name.clone();
            move |runner: &Arc<Runner>| prompts::fill(runner, &name, &values)
        };
        self.other("prompts/get", &name, origin, fill)
    }

    fn complete(&self, asked: Completion, origin: &Origin) -> Answer<Vec<String>> {
        let name = asked.name.clone();
        self.other("completion/complete", &name, origin, move |runner| {
            let Completion { argument, typed, others, .. } = &asked;
            prompts::complete(runner, asked.of(), argument, typed, others)
        })
    }

    fn turned_away(&self, origin: &Origin, reason: &'static str) {
        self.runner.record_turned_away(origin, reason);
    }
}

impl ToolHost {
    fn carry_out(&self, call: Call) -> Answer<Outcome> {
        if call.is_large() {
            // Reading it takes time, which the message loop does not have; nor has it any for a
            // tool that answers at once when there is little to answer.
            let (runner, settled) = (self.runner.clone(), self.roots.wait());
            return Box::pin(async move {
                let admitted = on_a_worker(move || runner.admit(call)).await?;
                if let Some(settled) = settled {
                    settled.await;
                }
                run_on_a_worker(admitted).await
            });
        }
        match (self.runner.admit(call), self.roots.wait()) {
            (Ok(admitted), None) => Box::pin(run(admitted)),
            (Ok(admitted), Some(settled)) => Box::pin(async move {
                settled.await;
                run(admitted).await
            }),
            (Err(error), _) => Box::pin(std::future::ready(Err(error))),
        }
    }

    /// What is no call of a tool, under the same limits: a place among the running calls, a worker, a
    /// time, and a panic that ends nothing else.
    fn other<T: Send + 'static>(
        &self,
        what: &'static str,
        name: &str,
        origin: &Origin,
        work: impl FnOnce(&Arc<Runner>) -> Result<T, ToolError> + Send + 'static,
    ) -> Answer<T> {
        let place = match self.runner.admit_other(what, name, origin) {
            Ok(place) => place,
            Err(error) => return Box::pin(std::future::ready(Err(error))),
        };
        let (runner, patience) = (self.runner.clone(), self.patience);
        let (name, origin) = (name.to_owned(), origin.clone());
        let work = move || {
            // Its place is free only when it has ended, also when nobody waits for it any more.
            let _place = place;
            runner.look();
            let result = work(&runner).map_err(|error| {
                runner.record_other(what, &name, &origin, &error);
                as_missing(what, &name, error)
            });
            memory::note_work();
            result
        };
        let settled = self.roots.wait();
        Box::pin(async move {
            if let Some(settled) = settled {
                settled.await;
            }
            match tokio::time::timeout(patience, tokio::task::spawn_blocking(work)).await {
                Ok(Ok(result)) => result,
                Ok(Err(_)) => Err(ToolError::new(
                    ErrorKind::Internal,
                    format!("{what} hit a defect in scenewright; the server goes on"),
                )
                .hint("the log on stderr has the place; please report it")),
                Err(_) => {
                    let message = format!("{what} took longer than {} s", patience.as_secs());
                    Err(ToolError::new(ErrorKind::Timeout, message))
                }
            }
        })
    }
}

/// What is outside of a project was refused, which the audit knows. Whoever asked for it is told as
/// of anything that is not there.
fn as_missing(what: &str, name: &str, mut error: ToolError) -> ToolError {
    if error.details.shift_remove(OUTSIDE).is_none() {
        return error;
    }
    match what {
        "resources/read" => {
            ToolError { kind: ErrorKind::ResourceNotFound, ..error }.detail("uri", &*brief(name))
        }
        _ => ToolError { kind: ErrorKind::BadEnvelope, ..error },
    }
}

/// The folder of a `file://` address.
fn folder(address: &str) -> Option<PathBuf> {
    let path = PathBuf::from(path_of(address, cfg!(windows))?);
    path.is_absolute().then_some(path)
}

/// The path in a `file://` address, as Windows or the others write it.
fn path_of(address: &str, on_windows: bool) -> Option<String> {
    let path = resources::decode(address.strip_prefix("file://")?);
    let path = path.strip_prefix("localhost").unwrap_or(&path);
    // `file:///C:/games`; Visual Studio Code writes `file:///c%3A/games`.
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    Some(match drive {
        Some(drive) if on_windows => drive.to_owned(),
        // `file://host/share` is a folder of another machine.
        _ if on_windows && !path.starts_with('/') => format!("//{path}"),
        _ => path.to_owned(),
    })
}

pub(crate) fn on_a_worker<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Answer<T> {
    Box::pin(async move {
        tokio::task::spawn_blocking(work)
            .await
            .unwrap_or_else(|error| Err(ToolError::new(ErrorKind::Internal, error.to_string())))
    })
}

#[cfg(test)]
mod tests {
    use scenewright_contract::{Dialect, Listener};
    use scenewright_toolkit::pack::{Kit, Pack};
    use scenewright_toolkit::{Settings, Workspace};
    use scenewright_tools_explorer::ExplorerPack;

    use super::*;

    /// What it has at its addresses takes long, or is broken.
    struct Odd;

    impl Pack for Odd {
        fn read(&self, _: &Arc<Runner>, uri: &str) -> Option<Result<ResourceText, ToolError>> {
            match uri {
                "odd://slow" => std::thread::sleep(Duration::from_millis(400)),
                "odd://broken" => panic!("a resource that panics on purpose"),
                _ => {}
            }
            let text =
                ResourceText { uri: uri.to_owned(), mime: "text/plain", text: String::new() };
            Some(Ok(text))
        }
    }

    fn host(patience: Duration) -> ToolHost {
        let settings = Settings { in_flight: Some(1), ..Settings::default() };
        let world = ExplorerPack::new(&settings, &Workspace::default());
        let kit = Kit { groups: Vec::new(), packs: vec![Box::new(Odd), Box::new(world)] };
        let runner = Runner::new(kit, Workspace::default(), settings, None);
        let host = ToolHost::new(runner, &Changes::default());
        ToolHost { patience, ..Arc::into_inner(host).expect("it was just made") }
    }

    async fn read(host: &ToolHost, name: &str, listener: Listener) -> Result<(), ErrorKind> {
        let origin = Origin::new(Dialect::Mcp, listener);
        let read = host.read(format!("odd://{name}"), &origin).await;
        read.map(|_| ()).map_err(|error| error.kind)
    }

    #[tokio::test]
    async fn a_resource_takes_a_place_among_the_calls() {
        let host = host(Duration::from_secs(30));
        let both = tokio::join!(
            read(&host, "slow", Listener::Http),
            read(&host, "other", Listener::Http),
        );
        assert_eq!(both, (Ok(()), Err(ErrorKind::RateLimited)));
        assert_eq!(read(&host, "other", Listener::Http).await, Ok(()), "the place is free again");
        let both = tokio::join!(
            read(&host, "slow", Listener::Stdio),
            read(&host, "other", Listener::Stdio),
        );
        assert_eq!(both, (Ok(()), Ok(())), "a client on stdio has the server to itself");
    }

    #[tokio::test]
    async fn a_resource_has_a_time_and_its_place_is_taken_until_it_has_ended() {
        let host = host(Duration::from_millis(20));
        assert_eq!(read(&host, "slow", Listener::Http).await, Err(ErrorKind::Timeout));
        assert_eq!(read(&host, "other", Listener::Http).await, Err(ErrorKind::RateLimited));
    }

    #[tokio::test]
    async fn a_resource_that_panics_ends_nothing_else() {
        let host = host(Duration::from_secs(30));
        assert_eq!(read(&host, "broken", Listener::Http).await, Err(ErrorKind::Internal));
        assert_eq!(read(&host, "other", Listener::Http).await, Ok(()));
    }

    #[test]
    fn addresses_have_drives_and_machines_on_windows() {
        let windows = |address| path_of(address, true).unwrap();
        assert_eq!(windows("file:///C:/Games/a%20b"), "C:/Games/a b");
        assert_eq!(windows("file:///c%3A/Spiele/%C3%9Cbung"), "c:/Spiele/Übung");
        assert_eq!(windows("file://nas/games/one"), "//nas/games/one");
        assert_eq!(path_of("file:///C:/x", false).as_deref(), Some("/C:/x"));
        assert_eq!(path_of("C:/x", true), None);
    }

    #[test]
    #[cfg(unix)]
    fn folders_have_addresses() {
        let path = |address: &str| folder(address).map(|path| path.display().to_string());
        assert_eq!(path("file:///home/a%20b").as_deref(), Some("/home/a b"));
        assert_eq!(path("file://localhost/x").as_deref(), Some("/x"));
        for other in ["/home", "https://a.b/c", "file://relative", ""] {
            assert_eq!(path(other), None, "{other}");
        }
    }
}
