//! What a tool is: a value that carries everything the dialects, the policy and the docs need.

use scenewright_contract::tool::{ExampleInfo, LazyWords, Words};
use scenewright_contract::{JsonMap, Limits, Output, Runs, Safety, Tier, ToolError, ToolInfo};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::pack::Group;
use crate::{Cx, answer};

/// One tool. Write it as `Tool { id: …, …, ..Tool::READ }` in a file of its own.
pub struct Tool {
    /// The EditorMCP id, stable for ever. The MCP name is the same with `_` for `.`.
    pub id: &'static str,
    /// Another MCP name, for tools that are known by it: spec 004's.
    pub mcp: Option<&'static str>,
    /// The Unity Explorer name, where that interface has the tool.
    pub explorer: Option<&'static str>,
    /// Other names that are accepted on calls.
    pub aliases: &'static [&'static str],
    /// Other names that are accepted for arguments: `("toolId", "tool")` reads `toolId` as `tool`.
    pub argument_aliases: &'static [(&'static str, &'static str)],
    /// The name for people, in title case.
    pub title: &'static str,
    /// Words by which people look for it, besides those of its name and description.
    pub keywords: &'static str,
    /// Limits and caveats that the description leaves out.
    pub notes: Option<&'static str>,
    /// The dotted category of spec 003.
    pub category: &'static str,
    /// The engine whose projects it is for, where its group is for all.
    pub engine: Option<&'static str>,
    /// The tier label.
    pub tier: Tier,
    /// What it may change.
    pub safety: Safety,
    /// Whether it starts an engine or code of the project.
    pub runs: Runs,
    /// Its dry run starts the engine, too: only the engine knows what it would change.
    pub dry_runs: bool,
    /// The arguments with which it only reads, where that depends on them.
    pub reads_if: Option<fn(&JsonMap) -> bool>,
    /// It runs other tools, and each of those calls is decided anew; alone it changes nothing.
    pub delegates: bool,
    /// A person is asked about all of those calls at once.
    pub asks_once: bool,
    /// It acts on something else than files, or on the journal, so that it cannot wait in a batch.
    pub at_once: bool,
    /// Calling it twice is the same as calling it once.
    pub idempotent: bool,
    /// Listed by default, without `--toolsets`.
    pub lean: bool,
    /// It answers from memory in microseconds, so it runs where the request was read; every other
    /// tool gets a worker thread, and its timeout.
    pub instant: bool,
    /// Bounds on its work.
    pub limits: Limits,
    /// What must be there besides files, for all that it does.
    pub needs: Needs,
    /// Whose word it needs, when it changes something.
    pub gate: Gate,
    /// Calls that work on the bundled samples; each is run by a test.
    pub examples: &'static [Example],
    /// Calls that the examples take for granted: they come first, on the same copy of the samples.
    pub after: &'static [Earlier],
    /// JSON Schema of the arguments; its description is the tool's description.
    pub input: fn() -> JsonMap,
    /// JSON Schema of the output.
    pub output: fn() -> JsonMap,
    /// The text of its output, where [`answer::text`] does not do. It gets pages of outputs as well.
    pub text: Option<fn(&Value) -> String>,
    /// Members of its output, however deep, that only programs need; the text leaves them out.
    pub for_programs: &'static [&'static str],
    /// Decode, run, encode.
    pub call: fn(&Cx, Value) -> Result<Output, ToolError>,
}

/// What a call makes happen, beside reading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Powers {
    /// An engine, or code of the project, is started.
    pub runs: bool,
    /// Files of the project change, or what else a person would miss.
    pub writes: bool,
}

/// What a tool needs besides the files of a project. Without it a call fails as not ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The files are enough.
    Nothing,
    /// The engine's program on this machine.
    Program,
    /// The same, and a screen that it can draw on.
    ProgramAndScreen,
    /// An editor that this server is connected to.
    Editor,
    /// A running game that it is connected to.
    Game,
}

impl Needs {
    /// The words for what is missing where there is a program and nothing else.
    pub fn without(self) -> &'static str {
        match self {
            Self::Nothing | Self::Program => "",
            Self::ProgramAndScreen => "no screen to draw on",
            Self::Editor => "no editor is connected",
            Self::Game => "no game is connected",
        }
    }
}

/// Whose word a tool needs that changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// The operator's: the settings that the server was started with.
    Operator,
    /// The operator's, whatever the pack lets happen, and no person is asked: the tool that says
    /// what the pack lets happen.
    OperatorAlone,
    /// The operator's, and inside it what the tool's pack lets happen.
    Inner {
        /// A person is asked where the pack says so; not where nothing is lost.
        asks: bool,
        /// The pack must let code run, too.
        runs_code: bool,
    },
}

/// One call that works on the bundled samples.
pub struct Example {
    /// What it shows.
    pub description: &'static str,
    /// The arguments, as JSON.
    pub input: &'static str,
    /// The output, as JSON.
    pub output: &'static str,
    /// Output properties that differ between machines or runs; only their schema is checked.
    pub varies: &'static [&'static str],
}

/// A call that comes before an example.
pub struct Earlier {
    /// The id of the tool.
    pub tool: &'static str,
    /// The arguments, as JSON.
    pub input: &'static str,
}

impl Tool {
    /// The usual read-only tool, to be completed with `id`, `title`, `input`, `output` and `call`.
    pub const READ: Self = Self {
        id: "",
        mcp: None,
        explorer: None,
        aliases: &[],
        argument_aliases: &[],
        title: "",
        keywords: "",
        notes: None,
        category: "",
        engine: None,
        tier: Tier::Core,
        safety: Safety::ReadOnly,
        runs: Runs::No,
        dry_runs: false,
        reads_if: None,
        delegates: false,
        asks_once: false,
        at_once: false,
        idempotent: true,
        lean: false,
        instant: false,
        limits: Limits::DEFAULT,
        needs: Needs::Nothing,
        gate: Gate::Operator,
        examples: &[],
        after: &[],
        input: JsonMap::new,
        output: JsonMap::new,
        text: None,
        for_programs: &[],
        call: |_, _| Err(ToolError::failed("this tool has no body")),
    };

    /// The MCP name.
    pub fn mcp_name(&self) -> String {
        self.mcp.map_or_else(|| self.id.replace('.', "_"), str::to_owned)
    }

    /// Every name that finds this tool on a call.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let more = self.aliases.iter().chain(self.explorer.iter()).map(|name| (*name).to_owned());
        [self.id.to_owned(), self.mcp_name()].into_iter().chain(more)
    }

    /// Whether a person may be asked about this tool itself, not about those that it runs.
    pub(crate) fn is_asked_about(&self) -> bool {
        self.powers() != Powers::default() && (!self.delegates || self.asks_once)
    }

    /// Whether it takes `confirm`: spec 001 has it, and means the word of whoever calls.
    pub(crate) fn takes_confirm(&self) -> bool {
        self.explorer.is_some() && self.is_asked_about()
    }

    /// Whether its answer is that of one other tool, which fits it into its budget.
    pub(crate) fn passes_on(&self) -> bool {
        self.delegates && !self.asks_once
    }

    /// What it makes happen at most.
    pub fn powers(&self) -> Powers {
        Powers {
            runs: self.runs != Runs::No,
            writes: self.safety != Safety::ReadOnly && self.runs != Runs::Only,
        }
    }

    /// What it makes happen with these arguments.
    pub fn powers_with(&self, arguments: &JsonMap) -> Powers {
        let reads = self.reads_if.is_some_and(|reads| reads(arguments));
        if reads { Powers::default() } else { self.powers() }
    }

    /// What a model reads of an output, or of a page of it.
    pub fn text_of(&self, output: &Value) -> String {
        match self.text {
            Some(text) => text(output),
            None if self.for_programs.is_empty() => answer::text(output),
            None => answer::text(&answer::without(output, self.for_programs)),
        }
    }

    /// The definition as data, with `safety` as it is under the settings in force.
    pub fn info(&'static self, group: &Group, safety: Safety) -> ToolInfo {
        let confirm = self.takes_confirm();
        ToolInfo {
            id: self.id,
            mcp_name: self.mcp_name(),
            explorer: self.explorer,
            aliases: self.aliases,
            title: self.title,
            keywords: self.keywords,
            notes: self.notes,
            category: self.category,
            toolset: group.name,
            engine: self.engine.or(group.engine),
            lean: self.lean,
            tier: self.tier,
            safety,
            runs: self.runs,
            delegates: self.delegates,
            idempotent: self.idempotent,
            instant: self.instant,
            limits: self.limits,
            words: LazyWords::new(move || self.words(confirm)),
        }
    }

    fn words(&self, confirm: bool) -> Words {
        let mut input = (self.input)();
        let description = match input.remove("description") {
            Some(Value::String(text)) => text,
            _ => String::new(),
        };
        if confirm {
            add_confirm(&mut input);
        }
        let mut output = (self.output)();
        output.remove("description");
        let examples = self.examples.iter().map(Example::info).collect();
        Words { description, input, output, examples }
    }
}

/// Tools of the Explorer interface take `confirm`, which its settings can ask for.
fn add_confirm(input: &mut JsonMap) {
    if let Some(Value::Object(properties)) = input.get_mut("properties") {
        properties.insert(
            "confirm".to_owned(),
            json!({
                "type": "boolean",
                "description": "Asked for where the interface's RequireConfirm is on. Under --require-confirm a person is asked, whatever this says.",
                "default": false,
            }),
        );
    }
}

impl Example {
    /// What the call should have answered, when `actual` is something else. What varies may be
    /// anything, or absent.
    pub fn instead_of(&self, actual: &Value) -> Option<Value> {
        let mut expected: JsonMap = serde_json::from_str(self.output).unwrap_or_default();
        for name in self.varies {
            expected.insert((*name).to_owned(), actual[*name].clone());
        }
        // A property that varies may also be absent, and null says no more than that.
        let without_nulls = |mut map: JsonMap| {
            map.retain(|_, value| !value.is_null());
            map
        };
        let expected = without_nulls(expected);
        let is_same = actual.as_object().cloned().map(without_nulls).as_ref() == Some(&expected);
        (!is_same).then_some(Value::Object(expected))
    }

    fn info(&self) -> ExampleInfo {
        let parse = |text| serde_json::from_str(text).unwrap_or(Value::Null);
        ExampleInfo {
            description: self.description,
            input: parse(self.input),
            output: parse(self.output),
        }
    }
}

/// For [`Tool::reads_if`]: the action is to list what is there.
pub fn lists(arguments: &JsonMap) -> bool {
    arguments.get("action").is_some_and(|action| action == "list")
}

/// Decode the arguments, run the tool, encode its output: the body of every `call` field.
pub fn call<I: DeserializeOwned, O: Serialize>(
    cx: &Cx,
    arguments: Value,
    run: fn(&Cx, I) -> Result<O, ToolError>,
) -> Result<Output, ToolError> {
    let output = run(cx, decode(arguments)?)?;
    serde_json::to_value(output).map(Into::into).map_err(unwritable)
}

/// The same for tools whose output can be megabytes: it is written once, as text.
pub fn call_large<I: DeserializeOwned, O: Serialize>(
    cx: &Cx,
    arguments: Value,
    run: fn(&Cx, I) -> Result<O, ToolError>,
) -> Result<Output, ToolError> {
    written(&run(cx, decode(arguments)?)?)
}

/// The same for a tool that writes its output itself.
pub fn call_written<I: DeserializeOwned>(
    cx: &Cx,
    arguments: Value,
    run: fn(&Cx, I) -> Result<Output, ToolError>,
) -> Result<Output, ToolError> {
    run(cx, decode(arguments)?)
}

/// An output as text.
pub fn written(output: &impl Serialize) -> Result<Output, ToolError> {
    Output::written(output).map_err(unwritable)
}

fn decode<I: DeserializeOwned>(arguments: Value) -> Result<I, ToolError> {
    // The arguments have passed the schema, so what fails here is a rule that the schema cannot say.
    serde_json::from_value(arguments).map_err(|error| {
        ToolError::new(
            scenewright_contract::ErrorKind::BadArguments,
            format!("Invalid tool arguments: {error}"),
        )
    })
}

fn unwritable(error: serde_json::Error) -> ToolError {
    ToolError::failed(format!("the output could not be written: {error}"))
}
