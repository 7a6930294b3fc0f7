//! What this server lets happen: one function decides it for every call of every dialect.

use std::time::{Duration, Instant};

use scenewright_contract::{ErrorKind, Listener, Safety, Tier, ToolError};

use crate::budget;
use crate::tool::{Gate, Powers, Tool};

/// The operator's word, fixed at start.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Tools that change projects may run.
    pub allow_writes: bool,
    /// Tools that start an engine or code of a project may run.
    pub allow_runs: bool,
    /// Tools that do either ask a person first.
    pub require_confirm: bool,
    /// Nothing is written while the engine's editor has the project open.
    pub refuse_while_open: bool,
    /// Globs that no tool writes, beside those that each project names itself.
    pub protect: Vec<String>,
    /// The highest tier on offer.
    pub tier: Tier,
    /// Which tools standard MCP clients see in the list. What is not listed can still be called.
    pub toolsets: Toolsets,
    /// Calls that may run at once over the network; none means no limit.
    pub in_flight: Option<usize>,
    /// Calls per time on every listener; without it only WebSocket is limited.
    pub rate: Option<Rate>,
    /// A running engine must be connected for the server to be healthy.
    pub require_live: bool,
    /// Tokens of an answer to a standard MCP client, unless a call says otherwise.
    pub answer_tokens: usize,
    /// Such clients get structured content beside the text.
    pub structured: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            allow_writes: false,
            allow_runs: false,
            require_confirm: false,
            refuse_while_open: false,
            protect: Vec::new(),
            tier: Tier::Tier4,
            toolsets: Toolsets::Lean,
            in_flight: Some(32),
            rate: None,
            require_live: false,
            answer_tokens: budget::TOKENS,
            structured: false,
        }
    }
}

/// The part of the tool list that standard MCP clients are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Toolsets {
    /// The few tools that lead to all others.
    Lean,
    /// Everything.
    All,
    /// The lean set and these groups.
    Named(Vec<String>),
}

impl Toolsets {
    /// Whether a tool of `toolset` is listed.
    pub fn list(&self, toolset: &str, lean: bool) -> bool {
        match self {
            Self::Lean => lean,
            Self::All => true,
            Self::Named(names) => lean || names.iter().any(|name| name == toolset),
        }
    }
}

/// A token bucket: `burst` calls at once, refilled evenly over `window`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Calls that may come at once.
    pub burst: u32,
    /// The time in which that many come back.
    pub window: Duration,
}

impl Rate {
    /// What EditorMCP's own listener allows.
    pub const EDITOR: Self = Self { burst: 100, window: Duration::from_secs(5) };
}

/// What is running now, and how fast calls came lately.
#[derive(Debug, Default)]
pub struct Traffic {
    /// Calls that run now.
    pub running: usize,
    bucket: Option<Bucket>,
}

#[derive(Debug)]
struct Bucket {
    tokens: f64,
    filled: Instant,
}

/// What the caller brings, as far as the policy cares.
#[derive(Debug, Clone, Copy)]
pub struct Ask {
    /// The way the call came in.
    pub listener: Listener,
    /// A person has agreed.
    pub confirmed: bool,
    /// Whoever calls says so, where the interface of the tool has an argument for that.
    pub says_confirm: bool,
    /// It runs inside another call, which has been counted already.
    pub nested: bool,
    /// What the call makes happen.
    pub powers: Powers,
    /// It only shows what it would do, and starts nothing for that.
    pub only_shows: bool,
    /// What the tool's pack lets happen; nothing when it has no say.
    pub inner: Option<Inner>,
}

/// What a pack lets its tools do, inside the operator's word.
#[derive(Debug, Clone, Copy)]
pub struct Inner {
    /// Tools that change something may run.
    pub allow_writes: bool,
    /// They need a word of confirmation.
    pub require_confirm: bool,
    /// Code may run.
    pub allow_code: bool,
    /// How a refusal is told.
    pub words: &'static InnerWords,
}

/// How the refusals of a pack are told.
#[derive(Debug)]
pub struct InnerWords {
    /// What follows the name of a tool that would change something.
    pub writes: &'static str,
    /// What follows the name of a tool that would run code.
    pub code: &'static str,
    /// What to try.
    pub hint: &'static str,
}

/// The one decision: may this tool run, now, for this caller?
pub fn decide(
    tool: &Tool,
    ask: Ask,
    settings: &Settings,
    traffic: &mut Traffic,
    now: Instant,
) -> Result<(), ToolError> {
    has_tier(tool, settings)?;
    has_powers(tool, ask.powers, settings)?;
    if !ask.nested {
        enter(ask.listener, settings, traffic, now)?;
    }
    if ask.powers == Powers::default() {
        return Ok(());
    }
    // Where nothing is allowed, there is nothing to ask about.
    let may = settings.allow_writes || settings.allow_runs;
    match tool.gate {
        Gate::Operator if settings.require_confirm && may && !ask.only_shows => agreed(tool, ask),
        Gate::Operator | Gate::OperatorAlone => Ok(()),
        Gate::Inner { asks, runs_code } => {
            let inner = ask.inner.ok_or_else(|| unanswered(tool))?;
            let_happen(tool, runs_code, inner)?;
            match asks {
                true if settings.require_confirm => agreed(tool, ask),
                true if inner.require_confirm => confirmed(tool, ask),
                _ => Ok(()),
            }
        }
    }
}

/// Nobody's word is not a yes.
fn unanswered(tool: &Tool) -> ToolError {
    let message = format!("{} needs the word of its pack, and no pack gave it", tool.id);
    ToolError::new(ErrorKind::Denied, message)
        .hint("the server was put together without the pack of this tool")
}

/// A pack has the second word about its tools.
fn let_happen(tool: &Tool, runs_code: bool, inner: Inner) -> Result<(), ToolError> {
    let denied = |what: &str, setting: &str| {
        Err(ToolError::new(ErrorKind::Denied, format!("{} {what}", tool.id))
            .hint(inner.words.hint)
            .detail("setting", setting))
    };
    if runs_code && !inner.allow_code {
        return denied(inner.words.code, "console");
    }
    if !inner.allow_writes {
        return denied(inner.words.writes, "allow-writes");
    }
    Ok(())
}

/// Whether the settings offer this tool at all; what they do not offer is not listed either.
pub fn offered(tool: &Tool, settings: &Settings) -> Result<(), ToolError> {
    has_tier(tool, settings)?;
    match tool.reads_if {
        Some(_) => Ok(()),
        None => has_powers(tool, tool.powers(), settings),
    }
}

fn has_tier(tool: &Tool, settings: &Settings) -> Result<(), ToolError> {
    if tool.tier > settings.tier {
        return Err(ToolError::new(ErrorKind::Denied, "Tool not available in current tier")
            .hint(format!("start the server with --tier {}", tool.tier.as_str()))
            .detail("requiredTier", tool.tier.as_str())
            .detail("currentTier", settings.tier.as_str()));
    }
    Ok(())
}

/// Whether the operator gave these powers. What a delegate makes happen is decided with the calls
/// that it makes.
fn has_powers(tool: &Tool, powers: Powers, settings: &Settings) -> Result<(), ToolError> {
    let denied = |what: &str, setting: &str| {
        Err(ToolError::new(ErrorKind::Denied, format!("{} {what}", tool.id))
            .hint(format!("start the server with --{setting}"))
            .detail("setting", setting)
            .detail("safetyLevel", tool.safety.as_str()))
    };
    if tool.delegates {
        return Ok(());
    }
    if powers.writes && !settings.allow_writes {
        return denied("changes the project, and this server is read-only", "allow-writes");
    }
    if powers.runs && !settings.allow_runs {
        return denied("starts the engine, and this server may not run anything", "allow-runs");
    }
    Ok(())
}

/// What the tool may change under these settings: a tool that only runs others changes no more
/// than they are allowed to.
pub fn effective_safety(tool: &Tool, settings: &Settings) -> Safety {
    let may = settings.allow_writes || settings.allow_runs;
    if tool.delegates && !may { Safety::ReadOnly } else { tool.safety }
}

/// Whether one more call may run now, whatever it is. It then counts as one of the client's.
pub fn enter(
    listener: Listener,
    settings: &Settings,
    traffic: &mut Traffic,
    now: Instant,
) -> Result<(), ToolError> {
    has_room(listener, settings, traffic)?;
    take_token(listener, settings, traffic, now)
}

fn has_room(listener: Listener, settings: &Settings, traffic: &Traffic) -> Result<(), ToolError> {
    // A client on stdio has the server for itself; it waits instead of being refused.
    let limited = !matches!(listener, Listener::Stdio | Listener::CommandLine);
    match settings.in_flight {
        Some(most) if limited && traffic.running >= most => Err(ToolError::new(
            ErrorKind::RateLimited,
            format!("Cannot have more than {most} parallel requests. Please slow down."),
        )
        .hint("wait for an answer before the next call")
        .detail("maxParallel", most)),
        _ => Ok(()),
    }
}

fn take_token(
    listener: Listener,
    settings: &Settings,
    traffic: &mut Traffic,
    now: Instant,
) -> Result<(), ToolError> {
    let rate = match (settings.rate, listener) {
        (_, Listener::CommandLine)
        | (None, Listener::Stdio | Listener::Http | Listener::Framed) => {
            return Ok(());
        }
        (Some(rate), _) => rate,
        (None, Listener::WebSocket) => Rate::EDITOR,
    };
    let full = f64::from(rate.burst);
    let window = rate.window.as_secs_f64();
    let bucket = traffic.bucket.get_or_insert(Bucket { tokens: full, filled: now });
    let elapsed = now.saturating_duration_since(bucket.filled).as_secs_f64();
    bucket.tokens = (bucket.tokens + elapsed * full / window).min(full);
    bucket.filled = now;
    if bucket.tokens >= 1.0 {
        bucket.tokens -= 1.0;
        return Ok(());
    }
    let wait = (1.0 - bucket.tokens) * window / full;
    let text = format!(
        "Rate limited: Maximum {} requests per {} seconds exceeded",
        rate.burst,
        rate.window.as_secs()
    );
    Err(ToolError::new(ErrorKind::RateLimited, text)
        .hint(format!("wait {wait:.2} s"))
        .detail("maxRequests", rate.burst)
        .detail("windowSeconds", rate.window.as_secs())
        .detail("retryAfter", wait))
}

/// What a person is asked about a call of a tool with these powers; nothing where it changes and starts
/// nothing, or where these settings refuse it whatever they say.
pub fn question(tool: &Tool, powers: Powers, settings: &Settings) -> Option<ToolError> {
    let may = settings.allow_writes || settings.allow_runs;
    let is_asked = powers != Powers::default() && may;
    let is_refused = has_tier(tool, settings).and(has_powers(tool, powers, settings)).is_err();
    (is_asked && !is_refused).then(|| unconfirmed(tool, powers))
}

/// A person's word. No argument stands for it.
fn agreed(tool: &Tool, ask: Ask) -> Result<(), ToolError> {
    // The delegate's own calls are agreed to one by one, where it is known what they do.
    if ask.confirmed || !tool.is_asked_about() {
        return Ok(());
    }
    Err(unconfirmed(tool, ask.powers)
        .hint("a person has to agree: in a client that can ask, or with `scenewright approve`")
        .detail("setting", "require-confirm"))
}

/// What the specification of the pack's interface wants: a word of whoever calls.
fn confirmed(tool: &Tool, ask: Ask) -> Result<(), ToolError> {
    if ask.confirmed || ask.says_confirm {
        return Ok(());
    }
    let hint = "ask the person you work for, then call again with `confirm: true`";
    Err(unconfirmed(tool, ask.powers).hint(hint))
}

fn unconfirmed(tool: &Tool, powers: Powers) -> ToolError {
    let is_final = tool.safety == Safety::Destructive && tool.at_once;
    let what = match (powers.writes, powers.runs) {
        (false, _) => "starts the engine, which runs code of the project",
        (true, true) => "starts the engine, which runs code of the project, and changes files",
        (true, false) if is_final => "changes the project, which cannot be undone",
        (true, false) => "changes the project, which can be undone",
    };
    let message = format!("{} ({}) {what}. Run it?", tool.title, tool.id);
    ToolError::new(ErrorKind::ConfirmRequired, message)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use scenewright_contract::Runs;

    use super::*;

    const READ: Tool = Tool { id: "x.read", ..Tool::READ };
    const WRITE: Tool =
        Tool { id: "x.write", title: "Write", safety: Safety::SafeWrite, ..Tool::READ };
    const PRO: Tool = Tool { id: "x.pro", tier: Tier::Tier2, ..Tool::READ };
    const DELEGATE: Tool =
        Tool { id: "x.call", safety: Safety::Destructive, delegates: true, ..Tool::READ };

    const CLOSED: Inner = Inner {
        allow_writes: false,
        require_confirm: true,
        allow_code: false,
        words: &InnerWords { writes: "writes, not here", code: "runs code, not here", hint: "" },
    };
    const ASK: Ask = Ask {
        listener: Listener::Http,
        confirmed: false,
        says_confirm: false,
        nested: false,
        powers: Powers { runs: false, writes: false },
        only_shows: false,
        inner: Some(CLOSED),
    };

    fn check(tool: &Tool, ask: Ask, settings: Settings, running: usize, expected: Expect) {
        let mut traffic = Traffic { running, ..Traffic::default() };
        let ask = Ask { powers: tool.powers(), ..ask };
        let text = match decide(tool, ask, &settings, &mut traffic, Instant::now()) {
            Ok(()) => "allowed".to_owned(),
            Err(error) => format!("{}: {}", error.kind.as_str(), error.message),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn reads_run_and_writes_do_not_by_default() {
        check(&READ, ASK, Settings::default(), 0, expect!["allowed"]);
        check(
            &WRITE,
            ASK,
            Settings::default(),
            0,
            expect!["denied: x.write changes the project, and this server is read-only"],
        );
        check(&DELEGATE, ASK, Settings::default(), 0, expect!["allowed"]);
    }

    #[test]
    fn allowed_writes_run_and_confirmed_ones_ask_first() {
        let open = Settings { allow_writes: true, ..Settings::default() };
        check(&WRITE, ASK, open.clone(), 0, expect!["allowed"]);
        let asking = Settings { require_confirm: true, ..open };
        check(
            &WRITE,
            ASK,
            asking.clone(),
            0,
            expect![
                "confirm_required: Write (x.write) changes the project, which can be undone. Run it?"
            ],
        );
        check(&WRITE, Ask { confirmed: true, ..ASK }, asking.clone(), 0, expect!["allowed"]);
        check(&READ, ASK, asking, 0, expect!["allowed"]);
    }

    #[test]
    fn running_and_writing_are_two_powers() {
        const RUN: Tool = Tool { id: "x.run", title: "Run", runs: Runs::Only, ..WRITE };
        const EXPORT: Tool = Tool { id: "x.export", runs: Runs::AndWrites, ..WRITE };
        let runs = Settings { allow_runs: true, ..Settings::default() };
        let writes = Settings { allow_writes: true, ..Settings::default() };
        let both = Settings { allow_runs: true, ..writes.clone() };
        let no_runs =
            expect!["denied: x.run starts the engine, and this server may not run anything"];
        check(&RUN, ASK, writes.clone(), 0, no_runs);
        check(&RUN, ASK, runs.clone(), 0, expect!["allowed"]);
        let no_writes =
            expect!["denied: x.export changes the project, and this server is read-only"];
        check(&EXPORT, ASK, runs.clone(), 0, no_writes);
        let no_runs =
            expect!["denied: x.export starts the engine, and this server may not run anything"];
        check(&EXPORT, ASK, writes, 0, no_runs);
        check(&EXPORT, ASK, both.clone(), 0, expect!["allowed"]);
        check(
            &WRITE,
            ASK,
            runs,
            0,
            expect!["denied: x.write changes the project, and this server is read-only"],
        );
        let asking = Settings { require_confirm: true, ..both };
        let asked = expect![
            "confirm_required: Run (x.run) starts the engine, which runs code of the project. Run it?"
        ];
        check(&RUN, ASK, asking.clone(), 0, asked);
        check(&RUN, Ask { only_shows: true, ..ASK }, asking, 0, expect!["allowed"]);
        let no_runs =
            expect!["denied: x.run starts the engine, and this server may not run anything"];
        check(&RUN, Ask { only_shows: true, ..ASK }, Settings::default(), 0, no_runs);
    }

    #[test]
    fn a_tier_above_the_limit_is_denied() {
        let core = Settings { tier: Tier::Core, ..Settings::default() };
        check(&PRO, ASK, core.clone(), 0, expect!["denied: Tool not available in current tier"]);
        check(&READ, ASK, core, 0, expect!["allowed"]);
    }

    #[test]
    fn the_thirty_third_call_over_the_network_is_refused() {
        let limited =
            expect!["rate_limited: Cannot have more than 32 parallel requests. Please slow down."];
        check(&READ, ASK, Settings::default(), 32, limited);
        let stdio = Ask { listener: Listener::Stdio, ..ASK };
        check(&READ, stdio, Settings::default(), 32, expect!["allowed"]);
        check(&READ, Ask { nested: true, ..ASK }, Settings::default(), 32, expect!["allowed"]);
    }

    #[test]
    fn the_bucket_empties_and_refills() {
        let settings = Settings::default();
        let ask = Ask { listener: Listener::WebSocket, ..ASK };
        let mut traffic = Traffic::default();
        let start = Instant::now();
        for _ in 0..100 {
            decide(&READ, ask, &settings, &mut traffic, start).unwrap();
        }
        let error = decide(&READ, ask, &settings, &mut traffic, start).unwrap_err();
        assert_eq!(error.message, "Rate limited: Maximum 100 requests per 5 seconds exceeded");
        assert_eq!(error.details["retryAfter"], 0.05);
        let later = start + Duration::from_millis(51);
        decide(&READ, ask, &settings, &mut traffic, later).unwrap();
        decide(&READ, ask, &settings, &mut traffic, later).unwrap_err();
    }

    #[test]
    fn a_pack_has_the_second_word() {
        const INNER: Gate = Gate::Inner { asks: true, runs_code: false };
        const UNASKED: Gate = Gate::Inner { asks: false, runs_code: false };
        const CODE: Gate = Gate::Inner { asks: true, runs_code: true };
        const MOVE: Tool = Tool { id: "x.move", title: "Move", gate: INNER, ..WRITE };
        const EVAL: Tool = Tool { id: "x.eval", title: "Eval", gate: CODE, ..WRITE };
        const SELECT: Tool = Tool { id: "x.select", gate: UNASKED, ..WRITE };
        const CONFIG: Tool = Tool { id: "x.config", gate: Gate::OperatorAlone, ..WRITE };
        let open = Settings { allow_writes: true, ..Settings::default() };
        let closed = expect!["denied: x.move writes, not here"];
        check(&MOVE, ASK, open.clone(), 0, closed);
        check(&CONFIG, ASK, open.clone(), 0, expect!["allowed"]);
        let read_only =
            expect!["denied: x.config changes the project, and this server is read-only"];
        check(&CONFIG, ASK, Settings::default(), 0, read_only);
        let inner = Some(Inner { allow_writes: true, ..CLOSED });
        let ask = Ask { inner, ..ASK };
        let asked = expect![
            "confirm_required: Move (x.move) changes the project, which can be undone. Run it?"
        ];
        check(&MOVE, ask, open.clone(), 0, asked);
        check(&MOVE, Ask { confirmed: true, ..ask }, open.clone(), 0, expect!["allowed"]);
        let says = Ask { says_confirm: true, ..ask };
        check(&MOVE, says, open.clone(), 0, expect!["allowed"]);
        // What the pack's interface takes for a word is none of a person.
        let asking = Settings { require_confirm: true, ..open.clone() };
        let asked = expect![
            "confirm_required: Move (x.move) changes the project, which can be undone. Run it?"
        ];
        check(&MOVE, says, asking.clone(), 0, asked);
        check(&MOVE, Ask { confirmed: true, ..ask }, asking, 0, expect!["allowed"]);
        check(&SELECT, ask, open.clone(), 0, expect!["allowed"]);
        let no_code = expect!["denied: x.eval runs code, not here"];
        check(&EVAL, Ask { confirmed: true, ..ask }, open.clone(), 0, no_code);
        let nobody = expect!["denied: x.move needs the word of its pack, and no pack gave it"];
        check(&MOVE, Ask { inner: None, confirmed: true, ..ASK }, open, 0, nobody);
    }
}
