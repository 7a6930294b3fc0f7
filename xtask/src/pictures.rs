//! `cargo xtask pictures`: the pictures of the README and the book, from what the program shows.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::server::Server;
use crate::{binary, install, paths, process};

const LIMIT: Duration = Duration::from_secs(1800);
const SHOT_LIMIT: Duration = Duration::from_secs(120);

/// Names of the browser that takes the picture of the page.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Terminal sessions by the test that keeps them fresh; the page at `/` where a browser is.
pub(crate) fn run() -> Result<()> {
    let test = ["test", "-p", "scenewright", "--test", "all", "pages::pictures"];
    process::run(process::cargo().args(test).env("UPDATE_DOCS", "1"), LIMIT)?;
    match browser() {
        None => eprintln!(
            "NOTICE: docs/pictures/page.png is as it was: no Chromium is on the PATH (Debian: apt install chromium)"
        ),
        Some(browser) => take_page(&browser)?,
    }
    Ok(())
}

fn browser() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    let names = BROWSERS.iter().map(|name| format!("{name}{}", std::env::consts::EXE_SUFFIX));
    names
        .flat_map(|name| folders.iter().map(move |dir| dir.join(&name)))
        .find(|path| path.is_file())
}

fn take_page(browser: &std::path::Path) -> Result<()> {
    let program = binary::release()?;
    let samples = paths::root().join("samples");
    let samples = samples.to_str().context("the samples have a name in UTF-8")?;
    // The usual port, which the page shows.
    let args = ["--http", "127.0.0.1:51477", "--project", samples];
    let server = Server::start(&mut binary::serve(&program, &args), SHOT_LIMIT)?;
    let url = server.mcp_url()?;
    let url = url.strip_suffix("mcp").unwrap_or(&url).to_owned();
    let picture = paths::root().join("docs/pictures/page.png");
    let profile = paths::target().join("pictures-browser");
    let mut shot = Command::new(browser);
    shot.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
    shot.args(["--window-size=1200,760", "--virtual-time-budget=4000"]);
    shot.arg(format!("--user-data-dir={}", profile.display()));
    shot.arg(format!("--screenshot={}", picture.display())).arg(&url);
    install::quietly(&mut shot)?;
    server.kill();
    println!("{} shows {url}", picture.display());
    Ok(())
}
