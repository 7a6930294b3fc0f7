//! The stream of a host's events, opened again whenever it ends.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::echo::Echo;
use super::exchange::{self, Lines, Trouble};
use super::{Address, Link, News};

/// The wait before the first new try; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_millis(200);
/// And never is longer than this.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// A host begins a stream sooner than this.
const OPENING: Duration = Duration::from_secs(10);
/// After a silence of this length the host is looked for; it may have gone without a word.
const SILENCE: Duration = Duration::from_secs(15);

/// Hear the host's events for ever.
pub(super) async fn run(link: Arc<Link>) {
    let mut wait = FIRST_WAIT;
    loop {
        if let Some((address, lines)) = open(&link).await {
            let opened = Instant::now();
            let problem = hear(&link, &address, lines).await;
            link.is_away(Some(&address), &problem);
            // One that ends every stream at once is not asked faster for it.
            if opened.elapsed() > LONGEST_WAIT {
                wait = FIRST_WAIT;
            }
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => wait = (wait * 2).min(LONGEST_WAIT),
            // A call got through, so the host is back.
            () = link.nudge.notified() => {}
        }
    }
}

async fn open(link: &Link) -> Option<(Address, Lines)> {
    let address = match link.find() {
        Ok(address) => address,
        Err(problem) => {
            link.is_away(None, &problem);
            return None;
        }
    };
    let token = link.token_for(&address);
    let message = link.request("stream", "stream_events", json!({}));
    let opened = exchange::stream(&address, token.as_ref(), &message);
    let opened = tokio::time::timeout(OPENING, opened).await;
    match opened.unwrap_or_else(|_| Err(Trouble::Foreign("it opens no stream".to_owned()))) {
        Ok(lines) => {
            link.is_here(&address);
            return Some((address, lines));
        }
        Err(Trouble::Foreign(problem)) => link.is_silent(&address, &problem),
        Err(trouble) => link.is_away(Some(&address), trouble.problem()),
    }
    None
}

/// Pass events on until the stream ends; gives the reason.
async fn hear(link: &Link, address: &Address, mut lines: Lines) -> String {
    let mut echo = Echo::default();
    loop {
        let line = match tokio::time::timeout(SILENCE, lines.next()).await {
            Ok(Ok(Some(line))) => line,
            Ok(Ok(None)) => return "it ended the connection".to_owned(),
            Ok(Err(trouble)) => return trouble.problem().to_owned(),
            Err(_) => match exchange::connect(address).await {
                Ok(_) => continue,
                Err(_) => return "it has gone without a word".to_owned(),
            },
        };
        let Ok(mut message) = serde_json::from_slice::<Value>(&line) else { continue };
        // Copies of answers stay here: their ids are the host's clients' own.
        if message["method"] != "notification" {
            echo.mirrored(&link.ids, &message);
            continue;
        }
        let event = message["params"]["event"].as_str().unwrap_or_default().to_owned();
        let payload = message.pointer_mut("/params/payload").map(Value::take).unwrap_or_default();
        if event.is_empty() || (event == "tool_result" && echo.is_own(&payload)) {
            continue;
        }
        link.tell(News::Event(event, payload));
    }
}
