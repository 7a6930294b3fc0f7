//! What the wire asks of the rest of the program.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use scenewright_contract::prompt::{Completion, PromptInfo, PromptValues};
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{
    Call, Level, Origin, Outcome, Reserved, Safety, Shown, ToolError, ToolInfo,
};
use serde_json::Value;
use tokio::sync::broadcast;

/// An answer that takes a while.
pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send>>;

/// Everything that a dialect needs and that is not about bytes.
pub trait Host: Send + Sync + 'static {
    /// Who answers.
    fn identity(&self) -> Identity;
    /// The tools on offer, in the order of the list.
    fn catalog(&self) -> Vec<&ToolInfo>;
    /// Whether standard MCP clients see this tool in the list.
    fn is_listed(&self, tool: &ToolInfo) -> bool;
    /// Run a tool.
    fn call(&self, call: Call) -> Answer<Outcome>;
    /// What a person is to read before they agree to a call that was refused for want of their word.
    fn question(&self, _call: Call, refused: ToolError) -> Answer<Question> {
        let question = Question { text: refused.message, shown: Shown::default() };
        Box::pin(std::future::ready(Ok(question)))
    }
    /// What a person who makes a call themselves reads before it is made.
    fn preview(&self, _call: Call) -> Answer<Preview> {
        Box::pin(std::future::ready(Ok(Preview::default())))
    }
    /// A person who was asked in the client said no.
    fn declined(&self, _call: &Call) {}
    /// Keep a place for this call, which has not been read yet.
    fn reserve(&self, call: &Call) -> Result<Reserved, ToolError>;
    /// How the server is; an error when something that it requires is gone.
    fn health(&self) -> Result<Value, ToolError>;
    /// Every resource with a fixed URI.
    fn resources(&self, origin: &Origin) -> Answer<Vec<ResourceInfo>>;
    /// Every family of resources.
    fn templates(&self) -> &[TemplateInfo];
    /// Read a resource.
    fn read(&self, uri: String, origin: &Origin) -> Answer<ResourceText>;
    /// Every prompt.
    fn prompts(&self) -> Vec<PromptInfo>;
    /// A prompt with its blanks filled.
    fn prompt(&self, name: String, values: PromptValues, origin: &Origin) -> Answer<String>;
    /// Values that begin with what was typed.
    fn complete(&self, asked: Completion, origin: &Origin) -> Answer<Vec<String>>;
    /// Somebody was turned away before anything was read.
    fn turned_away(&self, _origin: &Origin, _reason: &'static str) {}
    /// How many bytes the list has at most: less telling tools make room.
    fn list_bytes(&self) -> Option<usize> {
        None
    }
    /// Whether all clients get structured content beside the text.
    fn gives_data(&self) -> bool {
        false
    }
    /// Whether any tool on offer may change something; browsers are trusted less then.
    fn allows_writes(&self) -> bool {
        self.catalog().iter().any(|tool| tool.safety != Safety::ReadOnly)
    }
    /// A client that has the server to itself is going to be asked which folders it works in. Calls
    /// wait for its answer from now on.
    fn expect_folders(&self) {}
    /// The number of the question that it is to be asked; none where the folders decide nothing.
    fn folders_expected(&self) -> Option<u64> {
        None
    }
    /// Its answer to this question: `file://` addresses, or nothing where it had none.
    fn take_folders(&self, _number: u64, _addresses: Option<Vec<String>>) -> Answer<()> {
        Box::pin(std::future::ready(Ok(())))
    }
    /// Done when it is known which folders the client works in; nothing when that is not awaited.
    fn settling(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        None
    }
    /// Another number when other projects are open, and with them another list of tools.
    fn edition(&self) -> u64 {
        0
    }
    /// The world behind the Unity Explorer interface; without one that dialect is not spoken.
    fn explorer(&self) -> Option<&dyn Explorer> {
        None
    }
}

/// What the Unity Explorer interface needs beside tools and resources.
pub trait Explorer: Send + Sync {
    /// The version in the answer to `initialize`.
    fn version(&self) -> &str;
    /// What a client should know before it starts.
    fn instructions(&self) -> &str;
    /// Every tool of the interface. Its clients see those that are refused now, too.
    fn tools(&self) -> Vec<&ToolInfo>;
    /// Hear every event from now on. Nobody listens while no stream is open.
    fn events(&self) -> broadcast::Receiver<Event>;
    /// What a new stream shows first: the scenes, then the selection.
    fn snapshot(&self) -> Answer<Vec<Event>>;
    /// Keep a line in the log that clients can read; the world announces it as an event itself.
    fn log(&self, level: Level, category: Option<&'static str>, message: &str);
}

/// Something happened in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What kind of thing: `log`, `selection`, `scenes`, `scenes_diff`.
    pub name: String,
    /// What exactly.
    pub payload: Value,
}

/// What a person is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// What the call is about, and what it would change.
    pub text: String,
    /// What a yes is bound to.
    pub shown: Shown,
}

/// What the page shows of a call before it makes it.
#[derive(Debug, Clone, Default)]
pub struct Preview {
    /// What the person is asked; nothing for a call that changes and starts nothing, and for one that is
    /// refused anyway.
    pub question: Option<String>,
    /// What would change, by object and field, in lines.
    pub changes: Vec<String>,
}

/// Who answers.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The program's name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What a model should know before it starts.
    pub instructions: Arc<str>,
}

/// Something that clients may have read before is no longer as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The resource at this URI.
    Resource(String),
    /// The resource at this URI, whatever its query, and all that are below it.
    Below(String),
    /// The list of tools.
    Tools,
    /// The list of resources.
    Resources,
    /// The list of prompts.
    Prompts,
}

/// Where changes are announced and heard.
#[derive(Debug, Clone)]
pub struct Changes(broadcast::Sender<Change>);

impl Default for Changes {
    fn default() -> Self {
        // A checkout of another branch changes many files at once.
        Self(broadcast::channel(4096).0)
    }
}

impl Changes {
    /// Tell everyone who listens.
    pub fn announce(&self, change: Change) {
        // No listener is no error.
        let _ = self.0.send(change);
    }

    /// Hear every change from now on.
    pub fn listen(&self) -> broadcast::Receiver<Change> {
        self.0.subscribe()
    }
}
