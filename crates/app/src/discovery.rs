//! The file by which clients of the Unity Explorer interface find a server on this machine: ours
//! writes it, and one that is attached to a host reads it.

use std::fs;
use std::io::{ErrorKind, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use scenewright_live::explorer::{Address, Found};
use scenewright_text::private;
use serde_json::{Value, json};

/// The file's name in the folder for temporary files.
const NAME: &str = "unity-explorer-mcp.json";
/// The variable by which clients name another file.
const ELSEWHERE: &str = "UE_MCP_DISCOVERY";

/// A file that is longer is something else.
const MAX_FILE: u64 = 64 * 1024;

/// Where the file is.
pub(crate) fn file() -> PathBuf {
    std::env::var_os(ELSEWHERE).map_or_else(|| std::env::temp_dir().join(NAME), PathBuf::from)
}

/// The host that the file names; why there is none, otherwise.
pub(crate) fn find() -> Result<Found, String> {
    read(&file(), std::process::id())
}

fn read(path: &Path, own: u32) -> Result<Found, String> {
    let shown = path.display();
    let unread = |error: std::io::Error| format!("{shown} cannot be read: {error}");
    let file = match fs::File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(format!("there is no discovery file {shown}"));
        }
        file => file.map_err(unread)?,
    };
    // Any user may write to that folder, and would be told what is meant for the host.
    if let Some(why) = private::doubt(&file).map_err(unread)? {
        return Err(format!("{shown} is not believed: {why}; --attach URL names a host"));
    }
    let is_secret = private::is_secret(&file).map_err(unread)?;
    let mut text = String::new();
    file.take(MAX_FILE).read_to_string(&mut text).map_err(unread)?;
    let said: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| format!("{shown} is no discovery file: {error}"))?;
    if said["pid"] == own {
        return Err(format!("{shown} is this server's own"));
    }
    let Some(url) = said["baseUrl"].as_str() else {
        return Err(format!("{shown} has no baseUrl"));
    };
    let address: Address = url.parse().map_err(|error| format!("{shown} names {url}: {error}"))?;
    // What leaves this machine needs the operator's own word.
    if !address.is_loopback() {
        return Err(format!(
            "{shown} names {url}, which is not this machine; --attach {url} means it"
        ));
    }
    let token = said["token"].as_str().filter(|_| is_secret).map(str::to_owned);
    Ok(Found { address, token })
}

/// The file of a server that runs; it is removed when the server ends.
pub(crate) struct Discovery(PathBuf);

impl Discovery {
    /// Tell clients where the interface is. Without the file they need to be told the address. A
    /// token that was made for this run is in it, for this user alone.
    pub(crate) fn announce(address: SocketAddr, token: Option<&str>) -> Option<Self> {
        let file = file();
        let mut said = json!({
            "pid": std::process::id(),
            "port": address.port(),
            "baseUrl": format!("http://{address}/"),
            "modeHints": ["streamable-http"],
            "startedAt": scenewright_tools_explorer::world::timestamp_now(),
        });
        if let Some(token) = token {
            said["token"] = json!(token);
        }
        let text = serde_json::to_string_pretty(&said).ok()? + "\n";
        match private::write_whole(&file, text) {
            Ok(()) => Some(Self(file)),
            Err(error) => {
                tracing::warn!(%error, "clients cannot find this server by its discovery file");
                None
            }
        }
    }
}

impl Drop for Discovery {
    /// Another server may have written the file since; then it stays.
    #[expect(clippy::disallowed_methods, reason = "our own file, outside every project")]
    fn drop(&mut self) {
        let said: Option<Value> =
            fs::read(&self.0).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if said.is_some_and(|said| said["pid"] == std::process::id()) {
            let _ = fs::remove_file(&self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, &str>) {
        let folder = scenewright_fixture::Folder::new();
        folder.write("discovery.json", text);
        let found = read(&folder.path("discovery.json"), 7).map(|found| found.address.to_string());
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{text}"),
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{text}: {found}"),
            (found, expected) => panic!("{text}: {found:?} instead of {expected:?}"),
        }
    }

    #[test]
    fn the_file_of_a_host_is_read() {
        let host = r#"{ "pid": 8, "port": 51477, "baseUrl": "http://0.0.0.0:51477/" }"#;
        check(host, Ok("http://127.0.0.1:51477/"));
        check(&format!("\u{feff}{host}\r\n"), Ok("http://127.0.0.1:51477/"));
        check(r#"{ "baseUrl": "http://[::]:5/" }"#, Ok("http://[::1]:5/"));
    }

    #[cfg(unix)]
    #[test]
    fn only_what_this_user_alone_can_write_is_believed() {
        use std::os::unix::fs::PermissionsExt;
        let folder = scenewright_fixture::Folder::new();
        let text = r#"{ "baseUrl": "http://127.0.0.1:5/", "token": "a secret of this run" }"#;
        folder.write("discovery.json", text);
        let file = folder.path("discovery.json");
        let found = |mode: u32| {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            read(&file, 7)
        };
        assert_eq!(found(0o600).unwrap().token.as_deref(), Some("a secret of this run"));
        // What others can read is no secret, but it can be believed.
        assert_eq!(found(0o644).unwrap().token, None);
        for mode in [0o666, 0o620, 0o602] {
            let doubted = found(mode).unwrap_err();
            assert!(doubted.contains("other users may write it"), "{doubted}");
        }
    }

    #[test]
    fn what_names_no_host_says_why() {
        check(r#"{ "pid": 7, "baseUrl": "http://127.0.0.1:1/" }"#, Err("this server's own"));
        check(r#"{ "pid": 8 }"#, Err("has no baseUrl"));
        check(r#"{ "baseUrl": "http://10.1.2.3:1/" }"#, Err("not this machine"));
        check(r#"{ "baseUrl": "https://127.0.0.1:1/" }"#, Err("only http"));
        check("[", Err("is no discovery file"));
        check(&" ".repeat(70_000), Err("is no discovery file"));
        let missing = read(Path::new("no/such/file.json"), 7).unwrap_err();
        assert!(missing.contains("there is no discovery file"), "{missing}");
    }
}
