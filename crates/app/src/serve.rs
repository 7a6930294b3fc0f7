//! `scenewright serve`: open the projects, start the listeners, say what to do next.

use std::io::{ErrorKind, IsTerminal};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use scenewright_contract::suggest;
use scenewright_toolkit::protect::Protected;
use scenewright_toolkit::{Audit, Rate, Runner, Settings, Toolsets, fixtures};
use scenewright_tools::{GROUPS, new_runner};
use scenewright_wire::transport::{self, http, stdio, tcp, websocket};
use scenewright_wire::{Access, Changes, Limits, Server, Token};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::cli::{DEFAULT_HTTP, Serve};
use crate::discovery::Discovery;
use crate::host::ToolHost;
use crate::os::{self, EndSignal};
use crate::power::may_write;
use crate::term::{Paint, Style, note};
use crate::watch::Watch;
use crate::{attach, config, memory, workspace};
use scenewright_tools_explorer::{HasWorld, is_served};

/// The page that a browser sees.
const PAGE: &str = include_str!("inspector.html");

/// When the server is asked to end, what runs may take so long to finish.
const GRACE: Duration = Duration::from_secs(6);

/// Serve until the client or the user ends it.
pub fn run(options: Serve) -> Result<ExitCode> {
    let options = config::complete(options)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Tools have threads of their own; what is left is passing messages, and passing them
        // between threads costs more than it gains (measured: half the calls per second).
        .worker_threads(1)
        // A call holds a worker for its whole time; more than this at once only fight for cores.
        .max_blocking_threads(64)
        .build()
        .context("the runtime cannot be started")?;
    let result = runtime.block_on(serve(options));
    // A tool that does not look at its cancellation must not keep the process alive.
    runtime.shutdown_timeout(Duration::from_millis(200));
    result
}

async fn serve(options: Serve) -> Result<ExitCode> {
    let end = EndSignal::new().context("signals cannot be listened for")?;
    let has_stdio = has_stdio(&options);
    let workspace = workspace::open_for_server(&options, has_stdio)?;
    if options.may.allow_runs {
        // What servers left that were killed; finding it takes a moment, which nobody waits for.
        std::thread::spawn(scenewright_live::lifeline::sweep);
    }
    let audit = options.audit.as_deref().map(Audit::open).transpose();
    let audit = audit.context("the audit file cannot be opened")?;
    let more = if options.test_fixtures { fixtures::GROUPS } else { &[] };
    let runner = new_runner(workspace, settings(&options)?, audit, more);
    let link = attach::link(&options)?;
    match &link {
        Some(link) => runner.world().attach(link.clone()),
        None => prepare_world(&runner, &options)?,
    }
    let changes = Changes::default();
    watch(&runner, &changes);
    let (token, made) = token(&options)?;
    let secured = token.is_some();
    let access = Access { token };
    let follows_client = workspace::follows_client(&options.projects);
    let host = ToolHost::serving(runner.clone(), &changes, follows_client, os::state_folder());
    let server = Server::new(host, changes, access, Limits::default(), options.test_fixtures);
    let listeners = Listeners::bind(&server, &options, has_stdio).await?;
    let http = listeners.http.as_ref().and_then(|http| http.local_addr().ok());
    if let Some(attach) = &options.attach {
        attach::check_not_self(attach, http)?;
    }
    greet(&runner, &listeners, &options, secured, made.as_deref());
    http.into_iter().for_each(|address| runner.world().set_address(address));
    // An attached server would hide the host from others, and from itself.
    if let (Some(address), None) = (http, &link) {
        announce(&runner, address, made);
    }
    if let Some(link) = &link {
        attach::begin(link, &runner, http);
    }
    tokio::spawn(memory::give_back_after_work());
    let result = listeners.run(server, end).await;
    runner.stop_following();
    runner.workspace().end();
    runner.workspace().save();
    result
}

/// Watch the files of what is open, also when that changes.
fn watch(runner: &Arc<Runner>, changes: &Changes) {
    match Watch::start(runner, changes.clone()) {
        Ok(watch) => {
            let watch = Mutex::new(watch);
            runner.follow(Box::new(move |workspace| {
                watch.lock().unwrap_or_else(PoisonError::into_inner).turn_to(workspace);
            }));
        }
        Err(error) => {
            tracing::warn!(%error, "projects are not watched; subscriptions will stay silent");
        }
    }
}

/// Have clients of the Explorer interface find this server while it has a world.
fn announce(runner: &Arc<Runner>, address: SocketAddr, secret: Option<String>) {
    let announced = Mutex::new(None);
    // The runner holds whoever follows it.
    let weak = Arc::downgrade(runner);
    let announce = move || {
        let has_world = weak.upgrade().is_some_and(|runner| is_served(&runner));
        let mut announced = announced.lock().unwrap_or_else(PoisonError::into_inner);
        if has_world && announced.is_none() {
            *announced = Discovery::announce(address, secret.as_deref());
        } else if !has_world {
            *announced = None;
        }
    };
    announce();
    runner.follow(Box::new(move |_| announce()));
}

/// Where the Explorer interface keeps its settings, and the scene that it begins with.
fn prepare_world(runner: &Runner, options: &Serve) -> Result<()> {
    let home = options.explorer_home.clone();
    let home = home.or_else(|| os::data_folder().map(|folder| folder.join("explorer")));
    if let Some(home) = home {
        let home = std::path::absolute(&home)?;
        let read = runner.world().set_home(&home.join("mcp.config.json"), runner.settings());
        read.map_err(anyhow::Error::msg)?;
    }
    if let Some(scene) = &options.scene {
        runner.world().set_scene(scene.clone());
    }
    Ok(())
}

/// Refuses what `serve` would refuse before it opens anything.
pub(crate) fn check_settings(options: &Serve) -> Result<()> {
    settings(options).map(drop)
}

fn settings(options: &Serve) -> Result<Settings> {
    Protected::new(options.protect.clone()).map_err(|error| anyhow!(error.message))?;
    let mut settings = Settings {
        allow_writes: may_write(options.may.allow_writes && !options.may.read_only)?,
        allow_runs: options.may.allow_runs,
        require_confirm: options.may.require_confirm,
        refuse_while_open: options.may.refuse_while_open,
        protect: options.protect.clone(),
        toolsets: toolsets(&options.may.toolsets)?,
        require_live: options.require_live,
        structured: options.structured,
        ..Settings::default()
    };
    if let Some(tier) = options.may.tier {
        settings.tier = tier;
    }
    if let Some(tokens) = options.answer_tokens {
        settings.answer_tokens = tokens;
    }
    if let Some(most) = options.max_in_flight {
        settings.in_flight = (most > 0).then_some(most);
    }
    if let Some(per_second) = options.rate {
        settings.rate = Some(Rate { burst: per_second.max(1), window: Duration::from_secs(1) });
    }
    Ok(settings)
}

/// The groups of tools that are listed.
pub(crate) fn toolsets(names: &[String]) -> Result<Toolsets> {
    if names.is_empty() {
        return Ok(Toolsets::Lean);
    }
    if names.iter().any(|name| name == "all") {
        return Ok(Toolsets::All);
    }
    let known = || GROUPS.iter().map(|group| group.name);
    for name in names {
        if !known().any(|known| known == name) {
            let all = known().collect::<Vec<_>>().join(", ");
            let hint = suggest::did_you_mean(name, known(), &format!("they are {all}, or all"));
            bail!("there is no toolset '{name}'; {hint}");
        }
    }
    Ok(Toolsets::Named(names.to_vec()))
}

/// The token that clients must show; and the secret itself, when it was made for this run.
fn token(options: &Serve) -> Result<(Option<Token>, Option<String>)> {
    match options.token.as_deref() {
        Some("auto") => {
            let secret = new_secret()?;
            return Ok((Some(Token::new(&secret)?), Some(secret)));
        }
        Some(token) => {
            let token = Token::new(token).context("--token or SCENEWRIGHT_TOKEN")?;
            return Ok((Some(token), None));
        }
        None => {}
    }
    let Some(file) = &options.token_file else { return Ok((None, None)) };
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("the token file {} cannot be read", file.display()))?;
    let secret = text.lines().next().unwrap_or_default().trim();
    let token = Token::new(secret).with_context(|| format!("the token file {}", file.display()))?;
    Ok((Some(token), None))
}

/// A secret that nobody guesses, in characters that fit everywhere.
fn new_secret() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context("the operating system gives no random bytes")?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

fn is_any_named(options: &Serve) -> bool {
    options.stdio || options.http.is_some() || options.tcp.is_some() || options.ws.is_some()
}

/// Whether a client speaks on stdin and stdout: it was said so, or a program started this one.
fn has_stdio(options: &Serve) -> bool {
    options.stdio || (!is_any_named(options) && !std::io::stdin().is_terminal())
}

/// The listeners of a server, bound and ready.
struct Listeners {
    stdio: bool,
    http: Option<TcpListener>,
    tcp: Option<TcpListener>,
    ws: Option<TcpListener>,
}

impl Listeners {
    async fn bind(server: &Server, options: &Serve, stdio: bool) -> Result<Self> {
        let http = match options.http {
            Some(address) => Some(bind(server, address, "--http").await?),
            None if !stdio && !is_any_named(options) => Some(bind_default_http(server).await?),
            None => None,
        };
        Ok(Self {
            stdio,
            http,
            tcp: bind_named(server, options.tcp, "--tcp").await?,
            ws: bind_named(server, options.ws, "--ws").await?,
        })
    }

    /// Serve until the stdio client leaves or the user ends the process.
    async fn run(self, server: Arc<Server>, mut end: EndSignal) -> Result<ExitCode> {
        let mut tasks = JoinSet::new();
        if let Some(listener) = self.http {
            tasks.spawn(http::serve(server.clone(), listener, PAGE));
        }
        if let Some(listener) = self.tcp {
            tasks.spawn(tcp::serve(server.clone(), listener));
        }
        if let Some(listener) = self.ws {
            tasks.spawn(websocket::serve(server.clone(), listener));
        }
        let mut ended = Ok(());
        if self.stdio {
            let mut conversation = tokio::spawn(stdio::serve(server.clone()));
            tokio::select! {
                result = &mut conversation => ended = result.unwrap_or_else(|e| Err(e.into())),
                () = end.wait() => {
                    server.shut_down();
                    let _ = tokio::time::timeout(GRACE, conversation).await;
                }
            }
        } else {
            end.wait().await;
        }
        server.shut_down();
        // What is being answered may finish; what hangs is cut off.
        let _ = tokio::time::timeout(GRACE, tasks.join_all()).await;
        ended.context("the conversation on stdio broke off")?;
        Ok(ExitCode::SUCCESS)
    }
}

async fn bind_named(
    server: &Server,
    address: Option<SocketAddr>,
    option: &str,
) -> Result<Option<TcpListener>> {
    match address {
        Some(address) => bind(server, address, option).await.map(Some),
        None => Ok(None),
    }
}

async fn bind(server: &Server, address: SocketAddr, option: &str) -> Result<TcpListener> {
    transport::bind(server, address).await.map_err(|error| {
        // Another port helps only where this one is the trouble.
        let other = match error.kind() {
            ErrorKind::AddrInUse => {
                format!("; another port: {option} {}:0 takes a free one", address.ip())
            }
            _ => String::new(),
        };
        anyhow::Error::new(error).context(format!("{address} cannot be served{other}"))
    })
}

/// Nobody asked for a port, so a taken one is no reason to fail.
async fn bind_default_http(server: &Server) -> Result<TcpListener> {
    let address: SocketAddr = DEFAULT_HTTP.parse().context("the default address is well formed")?;
    match transport::bind(server, address).await {
        Ok(listener) => Ok(listener),
        Err(_) => bind(server, SocketAddr::new(address.ip(), 0), "--http").await,
    }
}

/// Say on stderr what is served, from where, and what to do next.
fn greet(
    runner: &Runner,
    listeners: &Listeners,
    options: &Serve,
    secured: bool,
    made: Option<&str>,
) {
    let attach = options.attach.as_ref();
    // Who has a client of an older protocol asks for something of it; others need not read of it.
    let older = options.ws.is_some()
        || options.tcp.is_some()
        || options.scene.is_some()
        || options.explorer_home.is_some()
        || attach.is_some();
    let paint = Paint::stderr();
    let name = paint.paint(Style::Bold, "scenewright");
    note(&format!("{name} {}", env!("CARGO_PKG_VERSION")));
    let workspace = runner.workspace();
    for project in workspace.projects() {
        let about = format!("{} project at {}", project.engine.name(), project.root.display());
        note(&format!("  {}  {about}", paint.paint(Style::Cyan, &project.id.to_string())));
    }
    if workspace.is_stand_in() {
        note("  No project here, so these are the bundled samples; --project DIR opens yours.");
    }
    if workspace.projects().is_empty() {
        note("  No project here; --project DIR opens one, and so can the client.");
    }
    let settings = runner.settings();
    note(match (settings.allow_writes, settings.allow_runs) {
        (true, true) => "  Tools may change projects and start the engine.",
        (true, false) => "  Tools may change projects; --allow-runs lets them start the engine.",
        (false, true) => "  Tools may start the engine; --allow-writes lets them change projects.",
        (false, false) => {
            "  Read-only; --allow-writes lets tools change projects, --allow-runs start the engine."
        }
    });
    if let Some(attach) = attach {
        note(&format!("  {}", attach::describe(attach)));
    }
    let url = |listener: &TcpListener, scheme: &str, path: &str| {
        let address = listener.local_addr().map_or_else(|e| e.to_string(), |a| a.to_string());
        paint.paint(Style::Green, &format!("{scheme}://{address}{path}"))
    };
    if let Some(http) = &listeners.http {
        note(&format!("  MCP         {}", url(http, "http", "/mcp")));
        if older {
            note(&format!("  EditorMCP   {}", url(http, "http", "/editormcp")));
        }
        if older && is_served(runner) {
            note(&format!("  Explorer    {}", url(http, "http", "/message")));
        }
        note(&format!("  Try it in a browser: {}", url(http, "http", "/")));
    }
    if let Some(ws) = &listeners.ws {
        note(&format!("  EditorMCP   {}", url(ws, "ws", "/")));
    }
    if let Some(tcp) = &listeners.tcp {
        note(&format!("  Framed      {}", url(tcp, "tcp", "")));
    }
    if let Some(secret) = made {
        note(&format!("  Token       {secret}"));
        note("  Clients send it as `Authorization: Bearer …`; it is for this run.");
    }
    if listeners.stdio {
        note("  MCP on stdin and stdout, one message per line.");
    } else if let Some(http) = &listeners.http {
        let address = url(http, "http", "/mcp");
        note(&format!("Next: point your MCP client at {address}, for example"));
        // A secret that was made here is known to nobody yet; one that was given stays where it is.
        let secret = made.or(secured.then_some("YOUR_TOKEN"));
        let shown = secret.map(|secret| format!(" --header \"Authorization: Bearer {secret}\""));
        let shown = shown.unwrap_or_default();
        note(&format!("  claude mcp add --transport http scenewright {address}{shown}"));
        note("Ctrl-C ends the server.");
    }
}
