//! The one way to run a tool: admit (policy, then arguments), run (panics caught), record.

mod admitted;
mod open;

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use scenewright_contract::call::{Diffs, Reads};
use scenewright_contract::echo::{LongTexts, brief, may_be_name};
use scenewright_contract::prompt::PromptInfo;
use scenewright_contract::resource::TemplateInfo;
use scenewright_contract::{
    By, Call, Dialect, ErrorKind, JsonMap, Listener, Origin, Reserved, ToolError, ToolInfo, suggest,
};
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::audit::{Audit, Found};
use crate::jobs::Jobs;
use crate::pack::{Group, Kit, Pack};
use crate::policy::{self, Ask, Settings, Traffic};
use crate::tool::{Gate, Powers};
use crate::workspace::{ProjectId, Workspace};
use crate::{Tool, budget, clients, door};
use admitted::with_remark;
use open::Open;

pub use admitted::Admitted;
use admitted::Place;

/// The tools, the projects and the policy of one server.
pub struct Runner {
    entries: Vec<Entry>,
    names: HashMap<String, usize>,
    settings: Settings,
    open: Open,
    traffic: Mutex<Traffic>,
    audit: Option<Audit>,
    started: Instant,
    packs: Vec<Box<dyn Pack>>,
    templates: Vec<TemplateInfo>,
    jobs: Jobs,
}

struct Entry {
    tool: &'static Tool,
    info: ToolInfo,
    /// The settings offer it; asked for far more often than the settings change.
    offered: bool,
    arguments: OnceLock<Arguments>,
}

/// How the server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Nothing that the operator requires is missing.
    pub ready: bool,
    /// Where the answers come from: `files` or `live`.
    pub mode: &'static str,
    /// The open projects, by id.
    pub projects: Vec<String>,
    /// Time since the start.
    pub uptime: Duration,
    /// Calls that run now.
    pub running: usize,
    /// Tools on offer.
    pub tools: usize,
}

impl Runner {
    /// A runner of the tools of a kit.
    pub fn new(
        kit: Kit,
        workspace: Workspace,
        settings: Settings,
        audit: Option<Audit>,
    ) -> Arc<Self> {
        door::look_after(workspace.projects(), settings.allow_writes, audit.as_ref());
        let mut entries = Vec::new();
        let mut names = HashMap::new();
        for group in kit.groups {
            for tool in group.tools {
                names.extend(tool.names().map(|name| (name, entries.len())));
                entries.push(Entry::new(tool, group, &settings));
            }
        }
        Arc::new(Self {
            entries,
            names,
            settings,
            open: Open::new(workspace),
            traffic: Mutex::default(),
            audit,
            started: Instant::now(),
            templates: kit.packs.iter().flat_map(|pack| pack.templates()).cloned().collect(),
            packs: kit.packs,
            jobs: Jobs::default(),
        })
    }

    /// The policy: may this call run? Every call of every dialect passes here.
    pub fn admit(self: &Arc<Self>, call: Call) -> Result<Admitted, ToolError> {
        self.admit_as(call, false)
    }

    /// The same for a call inside a call, which has been counted already.
    pub fn admit_nested(self: &Arc<Self>, call: Call) -> Result<Admitted, ToolError> {
        self.admit_as(call, true)
    }

    fn admit_as(self: &Arc<Self>, mut call: Call, nested: bool) -> Result<Admitted, ToolError> {
        match self.decide(&mut call, nested) {
            Ok((entry, place)) => Ok(Admitted { runner: self.clone(), entry, call, _place: place }),
            Err(error) => {
                let error = LongTexts::of(&call.arguments).cut_from(error.tool(&call.tool));
                self.record_refusal(&call, &error);
                let is_inner = nested || call.listener == Listener::CommandLine;
                let remark = if is_inner { None } else { self.workspace().remark() };
                Err(with_remark(error, remark))
            }
        }
    }

    /// The policy's word, then the schema's. Gives the tool's index in the list, and the place that
    /// the call holds among the running ones.
    fn decide(
        self: &Arc<Self>,
        call: &mut Call,
        nested: bool,
    ) -> Result<(usize, Option<Place>), ToolError> {
        let index = self.find(&call.tool, call.dialect)?;
        let Entry { tool, .. } = &self.entries[index];
        let checker = self.arguments(index)?;
        checker.take_nulls(&mut call.arguments);
        if call.dialect == Dialect::Mcp {
            checker.take_blanks(&mut call.arguments, tool.powers() == Powers::default());
        }
        call.says_confirm = self.take_confirm(call, index)?;
        call.confirmed |= call.consent.is_some();
        let inner = matches!(tool.gate, Gate::Inner { .. })
            .then(|| self.packs.iter().find_map(|pack| pack.gate(tool, &self.settings)))
            .flatten();
        self.take_budget(call, index, nested)?;
        checker.respell(&mut call.arguments);
        let powers = self.entries[index].powers(call);
        let ask = Ask {
            listener: call.listener,
            confirmed: call.confirmed,
            says_confirm: call.says_confirm,
            nested,
            powers,
            only_shows: self.entries[index].only_shows(call),
            inner,
        };
        // The place is taken before the arguments are checked, so that a large one keeps nobody
        // else waiting; a call that is refused then gives it back.
        let place = self.take_place(tool, ask, &call.place)?;
        let arguments = Value::Object(std::mem::take(&mut call.arguments));
        let checked = checker.check(&arguments);
        if let Value::Object(arguments) = arguments {
            call.arguments = arguments;
        }
        checked.map(|()| (index, place))
    }

    /// What whoever calls says of a person's word. It counts where the interface of the tool has it.
    fn take_confirm(&self, call: &mut Call, index: usize) -> Result<bool, ToolError> {
        let entry = &self.entries[index];
        if entry.tool.takes_confirm() {
            let said = call.arguments.shift_remove("confirm");
            // Where a person can be asked, a model's word is not theirs.
            return Ok(said == Some(Value::Bool(true)) && !call.asks);
        }
        let is_habit = entry.tool.powers() != Powers::default() && !entry.takes("confirm");
        let was_sent = is_habit && call.arguments.shift_remove("confirm").is_some();
        if was_sent && self.settings.require_confirm {
            let problem = "stands for nobody's word: this server asks a person itself";
            return Err(ToolError::bad_argument("confirm", problem)
                .hint("call again without confirm; the answer says how a person agrees"));
        }
        Ok(false)
    }

    /// How large the answer may be. Clients of the other protocols get what their specifications say.
    fn take_budget(&self, call: &mut Call, index: usize, nested: bool) -> Result<(), ToolError> {
        let is_for_a_model = call.reads != Reads::Data && !nested;
        let client = call.who.client.as_deref();
        let usual = clients::answer_tokens(client, self.settings.answer_tokens);
        let usual = is_for_a_model.then_some(usual);
        let entry = &self.entries[index];
        if is_for_a_model {
            call.diffs = Diffs::Short;
            entry.show_all(&mut call.arguments);
        }
        if entry.tool.powers().writes && !entry.takes("diff") {
            call.diffs = budget::take_diffs(&mut call.arguments)?.unwrap_or(call.diffs);
        }
        let taken = budget::take_arguments(&mut call.arguments, usual, |name| entry.takes(name))?;
        call.budget = taken.or(call.budget.take());
        if let Some(budget) = call.budget.as_ref().filter(|_| !entry.tool.passes_on())
            && let Some(own) = budget::own_cursor(budget)?
        {
            call.arguments.insert("cursor".to_owned(), own);
        }
        Ok(())
    }

    /// The policy's word, and a place among the running calls for who does not have one.
    fn take_place(
        self: &Arc<Self>,
        tool: &Tool,
        ask: Ask,
        reserved: &Reserved,
    ) -> Result<Option<Place>, ToolError> {
        let kept = match ask.nested {
            true => None,
            false => reserved.take::<Place>().filter(|place| Arc::ptr_eq(&place.0, self)),
        };
        let is_counted = ask.nested || kept.is_some();
        let ask = Ask { nested: is_counted, ..ask };
        let mut traffic = self.traffic();
        policy::decide(tool, ask, &self.settings, &mut traffic, Instant::now())?;
        Ok(if is_counted { kept } else { Some(self.place(&mut traffic)) })
    }

    fn place(self: &Arc<Self>, traffic: &mut Traffic) -> Place {
        traffic.running += 1;
        Place(self.clone())
    }

    /// The same for what is no call of a tool, such as `resources/read`: it counts among the running
    /// calls, and a refusal is recorded.
    pub fn admit_other(
        self: &Arc<Self>,
        what: &'static str,
        name: &str,
        origin: &Origin,
    ) -> Result<Place, ToolError> {
        let tool = Tool { id: what, title: what, ..Tool::READ };
        let ask = Ask {
            listener: origin.listener,
            confirmed: false,
            says_confirm: false,
            nested: false,
            powers: Powers::default(),
            only_shows: false,
            inner: None,
        };
        let place = self.take_place(&tool, ask, &origin.place).and_then(|place| {
            place.ok_or_else(|| ToolError::new(ErrorKind::Internal, "a place was not counted"))
        });
        place.inspect_err(|error| self.record_other(what, name, origin, error))
    }

    /// What was admitted, and then asked for something that nobody may have: a path out of the
    /// project, for one.
    pub fn record_other(&self, what: &'static str, name: &str, origin: &Origin, error: &ToolError) {
        let arguments = JsonMap::from_iter([("name".to_owned(), json!(brief(name)))]);
        self.record_refusal(&Call::new(what, arguments).from(origin), error);
    }

    /// A person who was asked about a call said no.
    pub fn record_declined(&self, call: &Call, by: &By) {
        if let Some(audit) = &self.audit {
            audit.declined(call, by);
        }
    }

    /// Somebody was turned away before anything was read: a wrong token, a foreign page.
    pub fn record_turned_away(&self, origin: &Origin, reason: &str) {
        if let Some(audit) = &self.audit {
            audit.turned_away(origin, reason);
        }
    }

    fn find(&self, name: &str, dialect: Dialect) -> Result<usize, ToolError> {
        if !may_be_name(name) {
            let message = format!("Tool not found: {}", brief(name));
            return Err(ToolError::new(ErrorKind::UnknownTool, message)
                .hint("tools.search finds tools by words; no name is as long as this one"));
        }
        if let Some(index) = self.names.get(name) {
            return Ok(*index);
        }
        if dialect == Dialect::Explorer
            && let Some((_, index)) = self.names.iter().find(|(n, _)| n.eq_ignore_ascii_case(name))
        {
            return Ok(*index);
        }
        let mut error = ToolError::new(ErrorKind::UnknownTool, format!("Tool not found: {name}"));
        let catalog = self.catalog();
        // Names of spec 004 have little in common with their ids.
        let own = catalog.iter().filter(|tool| tool.mcp_name != tool.id.replace('.', "_"));
        let ids = catalog.iter().map(|tool| tool.id);
        let near = suggest::nearest(name, ids.chain(own.map(|tool| tool.mcp_name.as_str())));
        if !near.is_empty() {
            error = error
                .hint(format!("did you mean {}?", near.join(" or ")))
                .detail("didYouMean", json!(near));
        }
        Err(error)
    }

    fn arguments(&self, index: usize) -> Result<&Arguments, ToolError> {
        let entry = &self.entries[index];
        if let Some(arguments) = entry.arguments.get() {
            return Ok(arguments);
        }
        let arguments = Arguments::new(&entry.info.words.input, entry.tool.argument_aliases)?;
        Ok(entry.arguments.get_or_init(|| arguments))
    }

    /// The tools on offer, in the order of the list.
    pub fn catalog(&self) -> Vec<&ToolInfo> {
        self.entries.iter().filter(|entry| entry.offered).map(|entry| &entry.info).collect()
    }

    /// Every tool in the order of the list; with those that are not on offer, why.
    pub fn everything(&self) -> impl Iterator<Item = (&ToolInfo, Result<(), ToolError>)> {
        self.entries.iter().map(|entry| (&entry.info, policy::offered(entry.tool, &self.settings)))
    }

    /// Every tool of the Explorer interface, on offer or not.
    pub fn explorer_tools(&self) -> Vec<&ToolInfo> {
        let infos = self.entries.iter().map(|entry| &entry.info);
        infos.filter(|info| info.explorer.is_some()).collect()
    }

    /// The definition of a tool on offer, by any of its names; why not, otherwise.
    pub fn describe(&self, name: &str) -> Result<&ToolInfo, ToolError> {
        self.offered(name).map(|entry| &entry.info)
    }

    /// A tool and its definition, on offer or not: whether it may run is decided with its call.
    pub fn known(&self, name: &str) -> Result<(&'static Tool, &ToolInfo), ToolError> {
        self.entry(name).map(|entry| (entry.tool, &entry.info))
    }

    /// Whether a call would change nothing and start nothing.
    pub(crate) fn would_only_read(&self, mut call: Call) -> Result<bool, ToolError> {
        let index =
            self.find(&call.tool, Dialect::Editor).map_err(|error| error.tool(&call.tool))?;
        self.arguments(index)?.respell(&mut call.arguments);
        Ok(self.entries[index].powers(&call) == Powers::default())
    }

    fn offered(&self, name: &str) -> Result<&Entry, ToolError> {
        let entry = self.entry(name)?;
        policy::offered(entry.tool, &self.settings).map_err(|error| error.tool(name))?;
        Ok(entry)
    }

    fn entry(&self, name: &str) -> Result<&Entry, ToolError> {
        let index = self.find(name, Dialect::Editor).map_err(|error| error.tool(name))?;
        Ok(&self.entries[index])
    }

    /// The call that is carried out in the end: of a tool that runs another, that of the other.
    fn innermost(&self, mut call: Call) -> Option<(Call, &Entry)> {
        let mut entry = self.read_as_meant(&mut call)?;
        if entry.tool.passes_on() {
            call.tool = call.arguments.get("tool")?.as_str()?.to_owned();
            call.arguments = call.arguments.get("arguments")?.as_object()?.clone();
            entry = self.read_as_meant(&mut call)?;
        }
        Some((call, entry))
    }

    /// What a person is to be asked about a call before it is made, whether this server asks them or
    /// the page that they use; nothing where it only reads, or only shows what it would change.
    pub fn question(&self, call: &Call) -> Option<ToolError> {
        let (call, entry) = self.innermost(call.clone())?;
        let powers = entry.powers(&call);
        policy::question(entry.tool, powers, &self.settings).filter(|_| !entry.only_shows(&call))
    }

    /// Whether a call is to show what it would change.
    pub fn shows(&self, call: &Call) -> bool {
        self.innermost(call.clone()).is_some_and(|(call, entry)| entry.only_shows(&call))
    }

    /// The same call as a dry run, if its tool has one that starts nothing. A tool that runs another is
    /// as good as that.
    pub fn dry(&self, call: Call) -> Option<Call> {
        let (mut call, entry) = self.innermost(call)?;
        if !entry.takes("dryRun") || entry.tool.dry_runs {
            return None;
        }
        call.arguments.shift_remove("confirm");
        call.arguments.insert("dryRun".to_owned(), Value::Bool(true));
        Some(call)
    }

    /// The tool of a call, whose arguments are then spelled as the tool has them.
    fn read_as_meant(&self, call: &mut Call) -> Option<&Entry> {
        let index = self.find(&call.tool, call.dialect).ok()?;
        self.arguments(index).ok()?.respell(&mut call.arguments);
        Some(&self.entries[index])
    }

    /// Keep a place for this call before it is read. For transports that refuse it in a status of
    /// their own; between a mere look and [`Runner::admit`] others could take the last place.
    pub fn reserve(self: &Arc<Self>, call: &Call) -> Result<Reserved, ToolError> {
        let mut traffic = self.traffic();
        let room = policy::enter(call.listener, &self.settings, &mut traffic, Instant::now());
        let place = room.map(|()| Reserved::new(self.place(&mut traffic)));
        drop(traffic);
        place.inspect_err(|error| self.record_refusal(call, error))
    }

    /// How the server is.
    pub fn health(&self) -> Health {
        let live = self.packs.iter().any(|pack| pack.is_live());
        Health {
            ready: live || !self.settings.require_live,
            mode: if live { "live" } else { "files" },
            projects: self.workspace().projects().iter().map(|p| p.id.to_string()).collect(),
            uptime: self.started.elapsed(),
            running: self.traffic().running,
            tools: self.catalog().len(),
        }
    }

    /// The operator's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The packs that the tools come from.
    pub fn packs(&self) -> impl Iterator<Item = &dyn Pack> {
        self.packs.iter().map(|pack| &**pack)
    }

    /// One of them, by its type.
    pub fn pack<P: Pack>(&self) -> Option<&P> {
        self.packs().find_map(|pack| (pack as &dyn Any).downcast_ref())
    }

    /// Families of what can be read by URI.
    pub fn templates(&self) -> &[TemplateInfo] {
        &self.templates
    }

    /// Prepared questions, for the open projects.
    pub fn prompts(&self) -> Vec<PromptInfo> {
        let workspace = self.workspace();
        let is_open = |engine| workspace.candidates(Some(engine)).next().is_some();
        let fitting = self.packs().filter(|pack| pack.engine().is_none_or(is_open));
        fitting.flat_map(|pack| pack.prompts()).collect()
    }

    /// The pack that has this tool run by somebody else.
    fn elsewhere(&self, tool: &Tool) -> Option<&dyn Pack> {
        self.packs().find(|pack| pack.runs_elsewhere(tool))
    }

    /// The calls that take longer than clients wait.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    fn traffic(&self) -> MutexGuard<'_, Traffic> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the door found in a project and did without being asked.
    pub(crate) fn record_found(&self, found: Found, project: &ProjectId, message: &str) {
        if let Some(audit) = &self.audit {
            audit.found(found, project, message);
        }
    }

    fn record_refusal(&self, call: &Call, error: &ToolError) {
        let refused = matches!(
            error.kind,
            ErrorKind::Denied
                | ErrorKind::ConfirmRequired
                | ErrorKind::RateLimited
                | ErrorKind::BadArguments
                | ErrorKind::UnknownTool
        );
        if let Some(audit) = self.audit.as_ref().filter(|_| refused) {
            audit.refused(call, error);
        }
    }
}

impl Entry {
    fn new(tool: &'static Tool, group: &Group, settings: &Settings) -> Self {
        let safety = policy::effective_safety(tool, settings);
        let info = tool.info(group, safety);
        let offered = policy::offered(tool, settings).is_ok();
        Self { tool, info, offered, arguments: OnceLock::new() }
    }

    /// What a call makes happen. A dry run is a read, unless it needs the engine.
    fn powers(&self, call: &Call) -> Powers {
        let powers = self.tool.powers_with(&call.arguments);
        // A pack's own gate is about what the pack holds, and that may change in a dry run, too.
        let is_read = self.is_dry(call) && self.tool.gate == Gate::Operator;
        Powers { writes: powers.writes && !is_read, ..powers }
    }

    /// Whether the call only shows what it would change. What is no plan of files is done, not shown.
    fn is_dry(&self, call: &Call) -> bool {
        self.is_asked_to_show(call) || (call.dry && !self.tool.at_once)
    }

    /// Whether nothing is started for it. In a batch that is only shown, what runs does run: the tool
    /// itself does not know that nothing is meant to come of it.
    fn only_shows(&self, call: &Call) -> bool {
        self.is_asked_to_show(call) && !self.tool.dry_runs
    }

    fn is_asked_to_show(&self, call: &Call) -> bool {
        call.arguments.get("dryRun") == Some(&Value::Bool(true)) && self.takes("dryRun")
    }

    /// A list that its tool cuts without a cursor could not be read to its end. Where the answer has pages, the tool
    /// gives all that it may.
    fn show_all(&self, arguments: &mut JsonMap) {
        /// Arguments that say how much of a list to return.
        const MOST: [&str; 5] = ["maxResults", "limit", "maxNodes", "maxObjects", "maxFields"];
        let words = &self.info.words;
        let outputs = |name: &str| words.output["properties"].get(name).is_some();
        if self.tool.powers() != Powers::default() || !outputs("truncated") || outputs("nextCursor")
        {
            return;
        }
        for name in MOST {
            let argument = words.input.get("properties").and_then(|all| all.get(name));
            if let Some(most) = argument.and_then(|argument| argument.get("maximum")) {
                arguments.entry(name).or_insert_with(|| most.clone());
            }
        }
    }

    fn takes(&self, argument: &str) -> bool {
        let properties = self.info.words.input.get("properties");
        properties.is_some_and(|properties| properties.get(argument).is_some())
    }
}
