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
    /// The file for all of a user's projects.
    user: Place,
    /// The file in a project, where the client reads one.
    project: Option<&'static str>,
    /// How the file is written.
    pub(crate) form: Form,
}

/// Where a file is.
enum Place {
    /// Below the user's own folder.
    Home(&'static str),
    /// Below the folder where the system keeps settings.
    Settings(&'static str),
    /// Below `.config` on macOS, too; on Windows it has the other name, among the settings.
    Config(&'static str, &'static str),
}

/// How a client's file is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// JSON with servers by name below this key.
    Json(&'static str),
    /// The same, where each entry says that it is started as a program.
    TypedJson(&'static str),
    /// TOML with a table for each server.
    Toml,
}

impl Form {
    /// The key that the servers are below.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Form::Json(key) | Form::TypedJson(key) => key,
            Form::Toml => "mcp_servers",
        }
    }
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

/// All of them, in the order of their names. Formats and places are those of the clients' own
/// documentation; Continue takes a file of its own for each server.
pub(crate) const CLIENTS: [Client; 10] = [
    Client {
        id: "claude-code",
        name: "Claude Code",
        user: Place::Home(".claude.json"),
        project: Some(".mcp.json"),
        form: Form::TypedJson("mcpServers"),
    },
    Client {
        id: "claude-desktop",
        name: "Claude Desktop",
        user: Place::Settings("Claude/claude_desktop_config.json"),
        project: None,
        form: SERVERS,
    },
    Client {
        id: "codex",
        name: "Codex",
        user: Place::Home(".codex/config.toml"),
        project: Some(".codex/config.toml"),
        form: Form::Toml,
    },
    Client {
        id: "continue",
        name: "Continue",
        user: Place::Home(".continue/mcpServers/scenewright.json"),
        project: Some(".continue/mcpServers/scenewright.json"),
        form: SERVERS,
    },
    Client {
        id: "cursor",
        name: "Cursor",
        user: Place::Home(".cursor/mcp.json"),
        project: Some(".cursor/mcp.json"),
        form: SERVERS,
    },
    Client {
        id: "gemini",
        name: "Gemini CLI",
        user: Place::Home(".gemini/settings.json"),
        project: Some(".gemini/settings.json"),
        form: SERVERS,
    },
    Client {
        id: "jetbrains",
        name: "JetBrains (Junie)",
        user: Place::Home(".junie/mcp/mcp.json"),
        project: Some(".junie/mcp/mcp.json"),
        form: SERVERS,
    },
    Client {
        id: "vscode",
        name: "VS Code",
        user: Place::Settings("Code/User/mcp.json"),
        project: Some(".vscode/mcp.json"),
        form: Form::TypedJson("servers"),
    },
    Client {
        id: "windsurf",
        name: "Windsurf",
        user: Place::Home(".codeium/windsurf/mcp_config.json"),
        project: None,
        form: SERVERS,
    },
    Client {
        id: "zed",
        name: "Zed",
        user: Place::Config("zed/settings.json", "Zed/settings.json"),
        project: Some(".zed/settings.json"),
        form: Form::Json("context_servers"),
    },
];

impl Client {
    /// The one that somebody means.
    pub(crate) fn find(id: &str) -> Option<&'static Client> {
        let plain = |text: &str| text.to_lowercase().replace(['-', ' ', '_'], "");
        let wanted = plain(id);
        CLIENTS.iter().find(|client| plain(client.id) == wanted || plain(client.name) == wanted)
    }

    /// Its file, in `here` for that project alone.
    pub(crate) fn file(&self, scope: Scope, here: &Path) -> Option<PathBuf> {
        match scope {
            Scope::Project => self.project.map(|file| here.join(file)),
            Scope::User => self.user_file(),
        }
    }

    fn user_file(&self) -> Option<PathBuf> {
        let (folder, file) = self.user_place()?;
        Some(folder.join(file))
    }

    /// A folder that clients share, and the client's file below it.
    fn user_place(&self) -> Option<(PathBuf, &'static str)> {
        // Codex looks there instead when it is set.
        let moved = (self.id == "codex").then(|| std::env::var_os("CODEX_HOME")).flatten();
        if let Some(folder) = moved.filter(|folder| !folder.is_empty()) {
            return Some((PathBuf::from(folder), "config.toml"));
        }
        Some(match self.user {
            Place::Home(file) => (os::home()?, file),
            Place::Settings(file) => (os::settings_folder()?, file),
            Place::Config(_, file) if cfg!(windows) => (os::settings_folder()?, file),
            Place::Config(file, _) => (os::home()?.join(".config"), file),
        })
    }

    /// Whether the client seems to be on this machine: its file is there, or the folder that it has of
    /// its own, such as `.claude` beside `.claude.json`.
    pub(crate) fn is_here(&self) -> bool {
        let Some((folder, file)) = self.user_place() else { return false };
        let own = Path::new(file.split('/').next().unwrap_or(file)).with_extension("");
        folder.join(file).exists() || folder.join(own).is_dir()
    }

    /// The servers in its settings that are about this program, those for one folder alone with them.
    pub(crate) fn servers<'a>(
        &self,
        settings: &'a Value,
        here: &Path,
    ) -> impl Iterator<Item = &'a Map<String, Value>> {
        let key = self.form.key();
        let project = settings["projects"].get(here.to_string_lossy().as_ref());
        let all = [Some(settings), project].into_iter().flatten();
        let all = all.filter_map(move |settings| settings[key].as_object()).flatten();
        all.filter_map(|(name, server)| {
            let server = server.as_object()?;
            let said = ["command", "args", "url"].iter().filter_map(|key| server.get(*key));
            let is_ours = name.contains("scenewright")
                || said.into_iter().any(|value| value.to_string().contains("scenewright"));
            is_ours.then_some(server)
        })
    }

    /// What the client is to be told of a server.
    pub(crate) fn entry(&self, command: &Path, args: &[String]) -> Value {
        let mut entry = Map::new();
        if matches!(self.form, Form::TypedJson(_)) {
            entry.insert("type".to_owned(), json!("stdio"));
        }
        entry.insert("command".to_owned(), json!(command.to_string_lossy()));
        entry.insert("args".to_owned(), json!(args));
        Value::Object(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut files: Vec<_> =
            CLIENTS.iter().filter_map(|it| it.file(Scope::Project, here)).collect();
        let count = files.len();
        files.sort();
        files.dedup();
        assert_eq!(files.len(), count);
    }
}
