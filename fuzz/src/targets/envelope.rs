//! Any bytes are a message or a reason why not; ids and parameters are pieces of them, and a
//! message put together anew from those pieces is the same one.

use scenewright_contract::Dialect;
use scenewright_wire::dialect::Choice;
use scenewright_wire::envelope::{Envelope, Id, Message, parse};
use serde_json::value::RawValue;

const DIALECTS: [Dialect; 4] = [Dialect::Mcp, Dialect::Editor, Dialect::Explorer, Dialect::Framed];

pub(crate) fn run(bytes: &[u8]) {
    match parse(bytes) {
        Ok(Message::Call(call)) => {
            check_call(bytes, &call);
            choose(&call);
        }
        Ok(Message::Answer) => {}
        Ok(Message::Batch(items)) => {
            for item in items {
                inside(bytes, item.get());
                // What stands inside a readable message is JSON, whatever else it is; only halves
                // of surrogate pairs are found when names are read.
                if let Err(broken) = parse(item.get().as_bytes())
                    && !item.get().contains("\\u")
                {
                    assert_ne!(broken.error.kind.as_str(), "parse", "{}", item.get());
                }
            }
        }
        Err(broken) => {
            assert!(!broken.error.message.is_empty());
            if let Some(id) = broken.id {
                inside(bytes, id);
                check_token(id);
            }
        }
    }
}

fn check_call(bytes: &[u8], call: &Envelope<'_>) {
    if let Some(token) = call.id.token() {
        inside(bytes, token);
        check_token(token);
    }
    if let Some(params) = call.params {
        inside(bytes, params.get());
    }
    let method = serde_json::to_string(&call.method).expect("text is JSON");
    let id = match call.id {
        Id::Absent => String::new(),
        Id::Null => "\"id\":null,".to_owned(),
        Id::Token(token) => format!("\"id\":{token},"),
        Id::Invalid => "\"id\":[],".to_owned(),
    };
    let params = call.params.map_or("null", |params| params.get());
    let again = format!("{{\"jsonrpc\":\"2.0\",{id}\"method\":{method},\"params\":{params}}}");
    let Ok(Message::Call(again)) = parse(again.as_bytes()) else {
        panic!("a message made of its own pieces is none: {again}")
    };
    assert_eq!((again.id, &again.method), (call.id, &call.method));
    assert_eq!(again.params.map(|p| p.get()), call.params.map(|p| p.get()));
    assert!(again.versioned.is_ok());
}

/// An id goes into answers as it is, so it must be one token. It need not be a value: half of a
/// surrogate pair or a number beyond all numbers is JSON, too.
fn check_token(token: &str) {
    assert!(serde_json::from_str::<&RawValue>(token).is_ok(), "{token}");
    assert!(token.starts_with(['"', '-']) || token.starts_with(|c: char| c.is_ascii_digit()));
}

fn inside(bytes: &[u8], part: &str) {
    let (whole, part) = (bytes.as_ptr_range(), part.as_bytes().as_ptr_range());
    assert!(whole.start <= part.start && part.end <= whole.end);
}

fn choose(call: &Envelope<'_>) {
    let fixed = DIALECTS.map(Choice::Fixed);
    for choice in fixed.into_iter().chain(DIALECTS.map(Choice::Open)).chain([Choice::Agreed]) {
        let mut later = choice;
        let Ok(chosen) = later.choose(call) else { continue };
        if let Choice::Fixed(dialect) = choice {
            assert_eq!((chosen, later), (dialect, choice));
        }
        // The same message again finds the same dialect, whatever was remembered of it.
        assert_eq!(later.choose(call).ok(), Some(chosen));
    }
}
