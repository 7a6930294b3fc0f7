//! What the Explorer interface lets happen, inside what the operator lets happen.

use std::path::{Path, PathBuf};

use scenewright_toolkit::policy::{Inner, InnerWords};
use serde::{Deserialize, Serialize};

/// Where the interface listens when nobody says, as the document has it.
const PORT: u16 = 51477;

/// How a refusal by these settings is told.
pub(crate) const WORDS: InnerWords = InnerWords {
    writes: "changes the world, and the interface's config forbids it",
    code: "runs code, and the interface's config does not let it",
    hint: "SetConfig (explorer_setConfig) with allowWrites or enableConsoleEval changes that on a server that was started with --allow-writes",
};

/// The settings of the interface, as its config file has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct ExplorerConfig {
    /// Whether the interface is served.
    #[serde(alias = "enabled")]
    pub enabled: bool,
    /// The address that it is served on.
    #[serde(alias = "bindAddress")]
    pub bind_address: String,
    /// The port that it is served on.
    #[serde(alias = "port")]
    pub port: u16,
    /// Tools that change the world may run, if the operator lets them.
    #[serde(alias = "allowWrites")]
    pub allow_writes: bool,
    /// Those tools need `confirm: true`.
    #[serde(alias = "requireConfirm")]
    pub require_confirm: bool,
    /// Code may run.
    #[serde(alias = "enableConsoleEval")]
    pub enable_console_eval: bool,
    /// The folder that holds `Scripts`.
    #[serde(alias = "exportRoot")]
    pub export_root: Option<String>,
    /// How much is logged.
    #[serde(alias = "logLevel")]
    pub log_level: String,
    /// Full names of components that may be added and removed; all without a list.
    #[serde(alias = "componentAllowlist")]
    pub component_allowlist: Option<Vec<String>>,
    /// `<Type>.<Member>` of members that may be set and called; all without a list.
    #[serde(alias = "reflectionAllowlistMembers")]
    pub reflection_allowlist_members: Option<Vec<String>>,
    /// Full names of types whose methods may be watched; all without a list.
    #[serde(alias = "hookAllowlistSignatures")]
    pub hook_allowlist_signatures: Option<Vec<String>>,
    /// The file that it is kept in.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// What the lists do not reach beyond.
    #[serde(skip)]
    pub(crate) bounds: Bounds,
}

/// The lists of the operator, as the config file had them when it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) components: Option<Vec<String>>,
    pub(crate) members: Option<Vec<String>>,
    pub(crate) hooks: Option<Vec<String>>,
}

/// In a list: all that the operator lets happen.
pub(crate) const ALL: &str = "*";

impl Default for ExplorerConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            bind_address: "127.0.0.1".to_owned(),
            port: PORT,
            allow_writes: false,
            require_confirm: true,
            enable_console_eval: false,
            export_root: None,
            log_level: "Information".to_owned(),
            component_allowlist: None,
            reflection_allowlist_members: None,
            hook_allowlist_signatures: None,
            file: None,
            bounds: Bounds::default(),
        }
    }
}

impl ExplorerConfig {
    /// Read a config file; the defaults when there is none.
    pub fn read(file: &Path) -> Result<ExplorerConfig, String> {
        let config = match std::fs::read(file) {
            Ok(bytes) => serde_json::from_slice(strip_bom(&bytes))
                .map_err(|error| format!("{} cannot be read: {error}", file.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => ExplorerConfig::default(),
            Err(error) => return Err(format!("{} cannot be read: {error}", file.display())),
        };
        let bounds = Bounds {
            components: config.component_allowlist.clone(),
            members: config.reflection_allowlist_members.clone(),
            hooks: config.hook_allowlist_signatures.clone(),
        };
        Ok(ExplorerConfig { file: Some(file.to_owned()), bounds, ..config })
    }

    /// What the policy asks of it.
    pub(crate) fn gate(&self) -> Inner {
        Inner {
            allow_writes: self.allow_writes,
            require_confirm: self.require_confirm,
            allow_code: self.enable_console_eval,
            words: &WORDS,
        }
    }

    /// Write it where it was read from, whole or not at all.
    pub(crate) fn save(&self) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        scenewright_text::write_whole(file, text)
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))
    }

    /// The folder of console scripts.
    pub(crate) fn scripts(&self) -> Option<PathBuf> {
        let root = match &self.export_root {
            Some(root) => PathBuf::from(root),
            None => self.file.as_ref()?.parent()?.to_owned(),
        };
        Some(root.join("Scripts"))
    }

    /// Whether a list lets `name` pass; without a list all does where anything may be changed.
    pub(crate) fn allows(&self, list: &Option<Vec<String>>, name: &str) -> bool {
        match list {
            Some(list) => list.iter().any(|entry| entry == name || entry == ALL),
            None => self.allow_writes,
        }
    }
}

fn strip_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
