//! Any stream of bytes is answered in whole frames of JSON, not more of them than messages, and the
//! conversation ends when the stream does. How the bytes are cut into pieces changes nothing.

use std::sync::Arc;

use scenewright_contract::prompt::{Completion, PromptInfo, PromptValues};
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{Call, ErrorKind, Origin, Outcome, Reserved, ToolError, ToolInfo};
use scenewright_wire::host::Answer;
use scenewright_wire::transport::tcp;
use scenewright_wire::{Access, Changes, Host, Identity, Limits, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Longer frames are too long, so that short inputs can have some.
const LONGEST: usize = 2048;

pub(crate) fn run(bytes: &[u8]) {
    let Some((how, bytes)) = bytes.split_first() else { return };
    // Lengths are hard to guess, so every other input is lines that are framed here.
    let stream = if how % 2 == 0 { bytes.to_vec() } else { framed(bytes) };
    let messages = messages(&stream);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime needs only memory");
    // One that waits for what does not come is over the fuzzer's time.
    let answers = answers(&runtime.block_on(converse(&stream, 1 << 20)));
    assert!(answers.len() <= messages, "{} answers to {messages} messages", answers.len());
    let pieces = runtime.block_on(converse(&stream, 1 + usize::from(how / 2)));
    // Answers may overtake each other, and a session has a number of its own.
    assert_eq!(self::answers(&pieces).len(), answers.len());
}

fn framed(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.flat_map(|line| [&(line.len() as u32).to_le_bytes()[..], line].concat()).collect()
}

/// How many messages a stream can have at most: a frame may be a batch.
fn messages(mut stream: &[u8]) -> usize {
    let mut count = 0;
    while let Some((length, rest)) = stream.split_first_chunk() {
        let frame = &rest[..rest.len().min(u32::from_le_bytes(*length) as usize)];
        count += 1;
        stream = &rest[frame.len()..];
    }
    // The last one may be cut off after its length, and is not answered then.
    count
}

/// Send a stream through a buffer of this size and keep what comes back.
async fn converse(stream: &[u8], buffer: usize) -> Vec<u8> {
    let limits = Limits { message: LONGEST, ..Limits::default() };
    let server =
        Server::new(Arc::new(Nobody), Changes::default(), Access::default(), limits, false);
    let (mut client, input) = tokio::io::duplex(buffer);
    let (output, mut answers) = tokio::io::duplex(1 << 16);
    let serve = tokio::spawn(tcp::serve_on(server, input, output));
    let read = tokio::spawn(async move {
        let mut all = Vec::new();
        answers.read_to_end(&mut all).await.expect("memory can be read");
        all
    });
    // A conversation may be ended from the other side before everything is said.
    let _ = client.write_all(stream).await;
    drop(client);
    let ended = serve.await.expect("nothing panics");
    if let Err(error) = ended {
        assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof, "{error}");
    }
    read.await.expect("nothing panics")
}

/// The frames of an answer.
fn answers(mut bytes: &[u8]) -> Vec<Value> {
    let mut all = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (frame, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        // The names in an error may be as long as the message, and escaped.
        assert!(frame.len() < 16 * LONGEST + 4096, "an answer of {} bytes", frame.len());
        let value: Value = serde_json::from_slice(frame).expect("answers are JSON");
        assert!(value.is_object() || value.is_array(), "{value}");
        all.push(value);
        bytes = rest;
    }
    assert!(bytes.is_empty(), "half a frame came back");
    all
}

/// A program without tools.
struct Nobody;

impl Host for Nobody {
    fn identity(&self) -> Identity {
        Identity { name: "nobody", title: "Nobody", version: "0", instructions: "".into() }
    }

    fn catalog(&self) -> Vec<&ToolInfo> {
        Vec::new()
    }

    fn is_listed(&self, _: &ToolInfo) -> bool {
        true
    }

    fn call(&self, call: Call) -> Answer<Outcome> {
        let answer = match call.tool.as_str() {
            "echo" => {
                let output = Value::Object(call.arguments);
                Ok(Outcome {
                    tool: "echo",
                    output: output.into(),
                    text: None,
                    wants_data: false,
                    images: Vec::new(),
                    diagnostics: Vec::new(),
                })
            }
            other => Err(ToolError::new(ErrorKind::UnknownTool, other)),
        };
        Box::pin(std::future::ready(answer))
    }

    fn reserve(&self, _: &Call) -> Result<Reserved, ToolError> {
        Ok(Reserved::default())
    }

    fn health(&self) -> Result<Value, ToolError> {
        Ok(json!({ "status": "ok" }))
    }

    fn resources(&self, _: &Origin) -> Answer<Vec<ResourceInfo>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    fn templates(&self) -> &'static [TemplateInfo] {
        &[]
    }

    fn read(&self, uri: String, _: &Origin) -> Answer<ResourceText> {
        let error = ToolError::new(ErrorKind::ResourceNotFound, uri);
        Box::pin(std::future::ready(Err(error)))
    }

    fn prompts(&self) -> Vec<PromptInfo> {
        Vec::new()
    }

    fn prompt(&self, name: String, _: PromptValues, _: &Origin) -> Answer<String> {
        Box::pin(std::future::ready(Err(ToolError::not_found("prompt", &name))))
    }

    fn complete(&self, _: Completion, _: &Origin) -> Answer<Vec<String>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }
}
