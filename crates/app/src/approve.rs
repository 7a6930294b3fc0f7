//! `scenewright approve`: a person lets calls through that wait for them, or not.

use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::approval::{Listed, unix_ms, waiting};
use crate::cli::Approve;
use crate::os;
use crate::term::{self, Paint, Style, line};

/// What a person typed.
enum Word {
    Yes,
    No,
    Lines,
    Later,
}

/// Show what waits, and ask about each.
pub fn run(options: &Approve) -> Result<ExitCode> {
    let state = os::state_folder().context("this user has no state folder, so nothing waits")?;
    let all = waiting(&state, unix_ms()).context("what waits cannot be read")?;
    let wanted = |one: &Listed| options.id.as_ref().is_none_or(|id| one.card.id == *id);
    let list: Vec<Listed> = all.into_iter().filter(wanted).collect();
    if let (Some(id), true) = (&options.id, list.is_empty()) {
        term::error(&format!("no call waits as {id}; `scenewright approve` lists those that do"));
        return Ok(ExitCode::FAILURE);
    }
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        list.iter().for_each(|one| line(&head(one)));
        bail!("a person answers at a terminal: type this in one, without a pipe");
    }
    if list.is_empty() {
        line("Nothing waits for a person.");
    }
    list.into_iter().try_for_each(|one| decide(one, options.decline))?;
    Ok(ExitCode::SUCCESS)
}

fn head(one: &Listed) -> String {
    let client = one.card.client.as_deref().unwrap_or("a client that gave no name");
    let answered =
        if one.is_answered() { ", answered; its client has not called again" } else { "" };
    format!("{}  {} ({client}{answered})", one.card.id, one.card.about)
}

/// Ask about one call until there is an answer to what it is now.
fn decide(mut one: Listed, decline: bool) -> Result<()> {
    let paint = Paint::stdout();
    line(&paint.paint(Style::Bold, &head(&one)));
    let mut lines = &one.card.meaning;
    loop {
        if one.card.changed {
            line(&paint.paint(Style::Yellow, "The files changed since this was shown first."));
        }
        lines.iter().for_each(|text| line(&paint.change_line(text)));
        let word = if decline { Word::No } else { ask(!one.card.lines.is_empty())? };
        let agreed = match word {
            Word::Yes => true,
            Word::No => false,
            Word::Later => {
                line(&format!("{} waits on.", one.card.id));
                return Ok(());
            }
            Word::Lines => {
                lines = &one.card.lines;
                continue;
            }
        };
        // What is agreed to is what is on the screen.
        let Some(now) = one.again() else {
            line("It no longer waits.");
            return Ok(());
        };
        if now.card.digest != one.card.digest {
            one = now;
            lines = &one.card.meaning;
            continue;
        }
        one.say(agreed).context("the answer cannot be written")?;
        line(match agreed {
            true => "Agreed. It is carried out once, when the client calls again.",
            false => "Declined. The client hears of it when it calls again.",
        });
        return Ok(());
    }
}

fn ask(has_lines: bool) -> Result<Word> {
    let more = if has_lines { ", d for the lines of the files" } else { "" };
    let mut out = io::stdout();
    write!(out, "Let it run? y or n{more}, anything else for later: ")?;
    out.flush()?;
    let mut typed = String::new();
    io::stdin().read_line(&mut typed)?;
    Ok(match typed.trim().to_lowercase().as_str() {
        "y" | "yes" => Word::Yes,
        "n" | "no" => Word::No,
        "d" if has_lines => Word::Lines,
        _ => Word::Later,
    })
}
