//! Well-known AI clients and where they keep their MCP servers: one list for `install` and `doctor`.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::os;

/// A program whose agents may use this server.
pub(crate) struct Client {
    /// What people type.
    pub(crate) id: &'static str,
    /// What people call it.
    pub(crate) name: &'static str,
    /// The files for all of a user's projects. The first one that is there is changed, otherwise the last one is made.
    user: &'static [Spot],
    /// The same in a project, where the client reads one.
    project: &'static [Spot],
    /// The variable that names another folder for the user's file, and the file's place in it.
    moved: Option<(&'static str, &'static str)>,
    shape: Shape,
    /// What a person has to know who told it.
    pub(crate) note: Option<&'static str>,
}

/// A place and how the file there is written.
struct Spot {
    base: Base,
    file: &'static str,
    form: Form,
}

/// A folder that clients keep their files below.
#[derive(Clone, Copy)]
enum Base {
    /// The user's own.
    Home,
    /// Where the system keeps settings.
    Settings,
    /// `.config`, or what `XDG_CONFIG_HOME` names, on every system.
    Xdg,
    /// `.config` on macOS, too; on Windows the file has this name among the settings.
    Config(&'static str),
    /// Where the system keeps settings; on macOS its preferences.
    Preferences,
    /// A project.
    Project,
}

/// How a client's file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// JSON with servers by name below this key.
    Json(&'static str),
    /// TOML with a table for each server.
    Toml,
    /// TOML with a list of servers, which say their names.
    TomlList,
    /// YAML with such a list.
    YamlList,
}

impl Form {
    /// The key that the servers are below.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Form::Json(key) => key,
            Form::Toml | Form::TomlList => "mcp_servers",
            Form::YamlList => "mcpServers",
        }
    }

    /// What people call the language.
    pub(crate) fn language(self) -> &'static str {
        match self {
            Form::Json(_) => "JSON",
            Form::Toml | Form::TomlList => "TOML",
            Form::YamlList => "YAML",
        }
    }

    /// Whether the servers are a list.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Form::TomlList | Form::YamlList)
    }
}

/// What an entry says beside the program and its arguments.
#[derive(Clone, Copy)]
enum Shape {
    Plain,
    /// That it is started as a program, as `type: "stdio"`.
    Typed,
    /// The same as `transport: "stdio"`.
    Transport,
    /// The same as `type: "local"`, and that all tools are offered.
    Local,
    /// The same, with the program and its arguments in one list, and that it is on.
    OneList,
}

/// Whether a file holds for all projects or for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Scope {
    /// All projects of this user.
    User,
    /// The project alone.
    Project,
}

const SERVERS: Form = Form::Json("mcpServers");

const fn spot(base: Base, file: &'static str, form: Form) -> Spot {
    Spot { base, file, form }
}

const fn home(file: &'static str) -> Spot {
    spot(Base::Home, file, SERVERS)
}

const fn in_project(file: &'static str) -> Spot {
    spot(Base::Project, file, SERVERS)
}

/// A client of which nothing is known.
const CLIENT: Client = Client {
    id: "",
    name: "",
    user: &[],
    project: &[],
    moved: None,
    shape: Shape::Plain,
    note: None,
};

/// All of them, in the order of their names. Formats and places are those of the clients' own documentation; those that
/// `cargo xtask clients` can start have read what is written here.
pub(crate) const CLIENTS: [Client; 18] = [
    Client {
        id: "claude-code",
        name: "Claude Code",
        user: &[home(".claude.json")],
        project: &[in_project(".mcp.json")],
        shape: Shape::Typed,
        ..CLIENT
    },
    Client {
        id: "claude-desktop",
        name: "Claude Desktop",
        user: &[spot(Base::Settings, "Claude/claude_desktop_config.json", SERVERS)],
        ..CLIENT
    },
    Client {
        id: "cline",
        name: "Cline CLI",
        user: &[home(".cline/data/settings/cline_mcp_settings.json")],
        ..CLIENT
    },
    Client {
        id: "codex",
        name: "Codex",
        user: &[spot(Base::Home, ".codex/config.toml", Form::Toml)],
        project: &[spot(Base::Project, ".codex/config.toml", Form::Toml)],
        moved: Some(("CODEX_HOME", "config.toml")),
        ..CLIENT
    },
    Client {
        id: "continue",
        name: "Continue",
        user: &[
            spot(Base::Home, ".continue/config.yaml", Form::YamlList),
            home(".continue/mcpServers/scenewright.json"),
        ],
        project: &[in_project(".continue/mcpServers/scenewright.json")],
        note: Some(
            "The Continue CLI reads servers from ~/.continue/config.yaml alone; run \
             `scenewright install continue` again once you have that file.",
        ),
        ..CLIENT
    },
    Client {
        id: "copilot",
        name: "Copilot CLI",
        user: &[home(".copilot/mcp-config.json")],
        project: &[in_project(".github/mcp.json")],
        moved: Some(("COPILOT_HOME", "mcp-config.json")),
        shape: Shape::Local,
        ..CLIENT
    },
    Client {
        id: "cursor",
        name: "Cursor",
        user: &[home(".cursor/mcp.json")],
        project: &[in_project(".cursor/mcp.json")],
        ..CLIENT
    },
    Client {
        id: "gemini",
        name: "Gemini CLI",
        user: &[home(".gemini/settings.json")],
        project: &[in_project(".gemini/settings.json")],
        ..CLIENT
    },
    Client {
        id: "jetbrains",
        name: "JetBrains (Junie)",
        user: &[home(".junie/mcp/mcp.json")],
        project: &[in_project(".junie/mcp/mcp.json")],
        ..CLIENT
    },
    Client {
        id: "kilo",
        name: "Kilo Code CLI",
        user: &[
            spot(Base::Xdg, "kilo/kilo.jsonc", Form::Json("mcp")),
            spot(Base::Xdg, "kilo/kilo.json", Form::Json("mcp")),
        ],
        project: &[
            spot(Base::Project, "kilo.jsonc", Form::Json("mcp")),
            spot(Base::Project, "kilo.json", Form::Json("mcp")),
        ],
        shape: Shape::OneList,
        ..CLIENT
    },
    Client {
        id: "kimi",
        name: "Kimi Code",
        user: &[home(".kimi-code/mcp.json")],
        project: &[in_project(".kimi-code/mcp.json")],
        moved: Some(("KIMI_CODE_HOME", "mcp.json")),
        ..CLIENT
    },
    Client {
        id: "nanocoder",
        name: "Nanocoder",
        user: &[spot(Base::Preferences, "nanocoder/.mcp.json", SERVERS)],
        project: &[in_project(".mcp.json")],
        shape: Shape::Transport,
        ..CLIENT
    },
    Client {
        id: "opencode",
        name: "opencode",
        user: &[
            spot(Base::Xdg, "opencode/opencode.jsonc", Form::Json("mcp")),
            spot(Base::Xdg, "opencode/opencode.json", Form::Json("mcp")),
        ],
        project: &[
            spot(Base::Project, "opencode.jsonc", Form::Json("mcp")),
            spot(Base::Project, "opencode.json", Form::Json("mcp")),
        ],
        shape: Shape::OneList,
        ..CLIENT
    },
    Client {
        id: "qwen",
        name: "Qwen Code",
        user: &[home(".qwen/settings.json")],
        project: &[in_project(".qwen/settings.json")],
        ..CLIENT
    },
    Client {
        id: "vibe",
        name: "Mistral Vibe",
        user: &[spot(Base::Home, ".vibe/config.toml", Form::TomlList)],
        project: &[spot(Base::Project, ".vibe/config.toml", Form::TomlList)],
        moved: Some(("VIBE_HOME", "config.toml")),
        shape: Shape::Transport,
        ..CLIENT
    },
    Client {
        id: "vscode",
        name: "VS Code",
        user: &[spot(Base::Settings, "Code/User/mcp.json", Form::Json("servers"))],
        project: &[spot(Base::Project, ".vscode/mcp.json", Form::Json("servers"))],
        shape: Shape::Typed,
        ..CLIENT
    },
    Client {
        id: "windsurf",
        name: "Windsurf",
        user: &[home(".codeium/windsurf/mcp_config.json")],
        ..CLIENT
    },
    Client {
        id: "zed",
        name: "Zed",
        user: &[spot(
            Base::Config("Zed/settings.json"),
            "zed/settings.json",
            Form::Json("context_servers"),
        )],
        project: &[spot(Base::Project, ".zed/settings.json", Form::Json("context_servers"))],
        ..CLIENT
    },
];

/// A file of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    pub(crate) form: Form,
}

impl Spot {
    /// A folder that clients share, and the file below it.
    fn place(&self, here: &Path) -> Option<(PathBuf, &'static str)> {
        let config = || Some(os::home()?.join(".config"));
        Some(match self.base {
            Base::Project => (here.to_owned(), self.file),
            Base::Home => (os::home()?, self.file),
            Base::Settings => (os::settings_folder()?, self.file),
            Base::Xdg => (named_folder("XDG_CONFIG_HOME").or_else(config)?, self.file),
            Base::Config(file) if cfg!(windows) => (os::settings_folder()?, file),
            Base::Config(_) => (config()?, self.file),
            Base::Preferences => (os::preferences_folder()?, self.file),
        })
    }
}

/// The folder that a variable names.
fn named_folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

impl Client {
    /// The one that somebody means.
    pub(crate) fn find(id: &str) -> Option<&'static Client> {
        let plain = |text: &str| text.to_lowercase().replace(['-', ' ', '_'], "");
        let wanted = plain(id);
        CLIENTS.iter().find(|client| plain(client.id) == wanted || plain(client.name) == wanted)
    }

    /// Every file that it reads, in `here` for that project alone.
    pub(crate) fn places(&self, scope: Scope, here: &Path) -> Vec<Place> {
        let spots = match scope {
            Scope::Project => self.project,
            Scope::User => self.user,
        };
        let moved = self.moved.filter(|_| scope == Scope::User);
        let moved = moved.and_then(|(variable, file)| Some((named_folder(variable)?, file)));
        let place = |spot: &Spot| {
            let (folder, file) = moved.clone().or_else(|| spot.place(here))?;
            Some(Place { path: folder.join(file), form: spot.form })
        };
        spots.iter().filter_map(place).collect()
    }

    /// The file that an entry goes into.
    pub(crate) fn place(&self, scope: Scope, here: &Path) -> Option<Place> {
        let places = self.places(scope, here);
        let found = places.iter().find(|place| place.path.exists());
        found.or(places.last()).cloned()
    }

    /// Whether the client seems to be on this machine: a file of it is there, or the folder that it has of
    /// its own, such as `.claude` beside `.claude.json`.
    pub(crate) fn is_here(&self) -> bool {
        let is_there = |place: Place| place.path.exists();
        let has_folder = |spot: &Spot| {
            let Some((folder, file)) = spot.place(Path::new("")) else { return false };
            let own = Path::new(file.split('/').next().unwrap_or(file)).with_extension("");
            folder.join(own).is_dir()
        };
        self.places(Scope::User, Path::new("")).into_iter().any(is_there)
            || self.user.iter().any(has_folder)
    }

    /// What the client is to be told of a server.
    pub(crate) fn entry(&self, command: &str, args: &[String]) -> Value {
        let mut entry = Map::new();
        match self.shape {
            Shape::Plain => {}
            Shape::Typed => drop(entry.insert("type".to_owned(), json!("stdio"))),
            Shape::Transport => drop(entry.insert("transport".to_owned(), json!("stdio"))),
            Shape::Local | Shape::OneList => {
                entry.insert("type".to_owned(), json!("local"));
            }
        }
        if let Shape::OneList = self.shape {
            let all: Vec<&str> = [command].into_iter().chain(args.iter().map(|it| &**it)).collect();
            entry.insert("command".to_owned(), json!(all));
            entry.insert("enabled".to_owned(), json!(true));
        } else {
            entry.insert("command".to_owned(), json!(command));
            entry.insert("args".to_owned(), json!(args));
        }
        if let Shape::Local = self.shape {
            entry.insert("tools".to_owned(), json!(["*"]));
        }
        Value::Object(entry)
    }
}

/// The servers in a client's settings that are about this program, those for one folder alone with them.
pub(crate) fn servers<'a>(
    form: Form,
    settings: &'a Value,
    here: &Path,
) -> impl Iterator<Item = &'a Map<String, Value>> {
    let project = settings["projects"].get(here.to_string_lossy().as_ref());
    let all = [Some(settings), project].into_iter().flatten();
    let named = all.flat_map(move |settings| -> Vec<(&str, &Value)> {
        match &settings[form.key()] {
            Value::Object(servers) => servers.iter().map(|(name, it)| (&**name, it)).collect(),
            Value::Array(servers) => {
                servers.iter().map(|it| (it["name"].as_str().unwrap_or_default(), it)).collect()
            }
            _ => Vec::new(),
        }
    });
    named.filter_map(|(name, server)| {
        let server = server.as_object()?;
        let said = ["command", "args", "url"].iter().filter_map(|key| server.get(*key));
        let is_ours = name.contains("scenewright")
            || said.into_iter().any(|value| value.to_string().contains("scenewright"));
        is_ours.then_some(server)
    })
}

/// The program of an entry and its arguments, where it starts one.
pub(crate) fn launch(entry: &Map<String, Value>) -> Option<(&str, Vec<&str>)> {
    let texts = |key: &str| {
        let all = entry.get(key).and_then(Value::as_array).into_iter().flatten();
        all.filter_map(Value::as_str)
    };
    match entry.get("command")? {
        Value::String(command) => Some((command, texts("args").collect())),
        _ => {
            let mut all = texts("command");
            Some((all.next()?, all.collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::settings::ENVIRONMENT;

    #[test]
    fn clients_are_found_by_either_name() {
        for (text, id) in [
            ("Claude Code", "claude-code"),
            ("claudecode", "claude-code"),
            ("VSCode", "vscode"),
            ("zed", "zed"),
        ] {
            assert_eq!(Client::find(text).map(|client| client.id), Some(id));
        }
        assert!(Client::find("emacs").is_none());
    }

    #[test]
    fn ids_are_sorted_and_files_differ() {
        assert!(CLIENTS.is_sorted_by_key(|client| client.id));
        let here = Path::new("project");
        let places = CLIENTS.iter().flat_map(|it| it.places(Scope::Project, here));
        let mut files: Vec<_> = places.map(|place| place.path).collect();
        files.sort();
        // Nanocoder reads the file that Claude Code has in projects.
        let shared: Vec<_> = files.windows(2).filter(|two| two[0] == two[1]).collect();
        assert_eq!(shared, [&[here.join(".mcp.json"), here.join(".mcp.json")]]);
    }

    #[test]
    fn variables_that_move_files_are_documented() {
        for (variable, _) in CLIENTS.iter().filter_map(|client| client.moved) {
            assert!(ENVIRONMENT.iter().any(|known| known.name == variable), "{variable}");
        }
    }

    #[test]
    fn the_program_of_an_entry_is_found_in_every_shape() {
        for client in &CLIENTS {
            let entry = client.entry("/opt/scenewright", &["serve".to_owned()]);
            let entry = entry.as_object().unwrap();
            assert_eq!(launch(entry), Some(("/opt/scenewright", vec!["serve"])), "{}", client.id);
        }
        let by_address = json!({ "url": "http://127.0.0.1:1/mcp" });
        assert_eq!(launch(by_address.as_object().unwrap()), None);
    }
}
