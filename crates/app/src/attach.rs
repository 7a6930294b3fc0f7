//! `serve --attach`: a running Unity Explorer host answers for that interface.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Weak};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use scenewright_live::explorer::{Address, ExplorerHost, Find, Found, News};
use scenewright_toolkit::Runner;

use crate::cli::{Attach, Serve};
use crate::discovery;
use crate::term::note;
use scenewright_tools_explorer::HasWorld;

/// The link that the options ask for; nothing is connected yet.
pub(crate) fn link(options: &Serve) -> Result<Option<Arc<ExplorerHost>>> {
    let Some(attach) = options.attach.clone() else { return Ok(None) };
    if options.scene.is_some() || options.explorer_home.is_some() {
        bail!("--scene and --explorer-home are for an own world; a host has its own");
    }
    let find: Find = match attach {
        Attach::Auto => Box::new(discovery::find),
        Attach::At(address) => {
            Box::new(move || Ok(Found { address: address.clone(), token: None }))
        }
    };
    let host = ExplorerHost::new(find, options.attach_token.as_deref());
    let host = host.context("the link to the host cannot be started")?;
    Ok(Some(Arc::new(host)))
}

/// Begin to pass on what happens at the host. `own` is where this server listens: never the host.
pub(crate) fn begin(host: &ExplorerHost, runner: &Arc<Runner>, own: Option<SocketAddr>) {
    host.set_own(own.into_iter().collect());
    // The runner owns the link, so the link must not own the runner.
    let runner = Arc::downgrade(runner);
    host.follow(Box::new(move |news| pass_on(&runner, news)));
}

fn pass_on(runner: &Weak<Runner>, news: News) {
    let Some(runner) = runner.upgrade() else { return };
    match news {
        News::Event(name, payload) => runner.world().announce(&name, payload),
        News::Here(text) => {
            note(&text);
            runner.world().announce_line("info", text);
        }
        News::Away(text) => {
            note(&format!("{text}; its tools answer again when it is back"));
            runner.world().announce_line("warn", text);
        }
    }
}

/// A host that was named must be another server than the one that listens at `own`.
pub(crate) fn check_not_self(attach: &Attach, own: Option<SocketAddr>) -> Result<()> {
    match attach {
        Attach::At(address) if own.is_some_and(|own| address.is_served_by(own)) => {
            bail!("--attach {address} is this server itself; --http ADDR serves on another port")
        }
        _ => Ok(()),
    }
}

/// What the start says about it.
pub(crate) fn describe(attach: &Attach) -> String {
    match attach {
        Attach::Auto => {
            let file = discovery::file();
            format!("Explorer tools go to the running host that {} names.", file.display())
        }
        Attach::At(address) => format!("Explorer tools go to the running host at {address}"),
    }
}

/// Whether anyone takes connections at this address.
pub(crate) fn is_there(address: &Address) -> bool {
    let Ok(targets) = address.target().to_socket_addrs() else { return false };
    let mut targets = targets.take(4);
    targets.any(|target| TcpStream::connect_timeout(&target, Duration::from_millis(200)).is_ok())
}

/// Whether the server at this address is one of ours: it shows our page, or says where its WebSocket
/// can be had without one.
pub(crate) fn is_ours(address: &Address, token: Option<&str>) -> bool {
    const SIGNS: [&str; 2] = ["<title>scenewright</title>", "POST /editormcp takes"];
    first_page(address, token).is_ok_and(|page| SIGNS.iter().any(|sign| page.contains(sign)))
}

fn first_page(address: &Address, token: Option<&str>) -> std::io::Result<String> {
    let (host, port) = address.target();
    let mut stream = TcpStream::connect((host, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    let shown = token.map_or_else(String::new, |t| format!("Authorization: Bearer {t}\r\n"));
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    write!(
        stream,
        "GET / HTTP/1.1\r\nHost: {host}:{port}\r\nAccept: text/html\r\n{shown}Connection: close\r\n\r\n"
    )?;
    let mut page = Vec::new();
    stream.take(4096).read_to_end(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
