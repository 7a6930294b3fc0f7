//! One client on stdin and stdout, a message per line.

use std::sync::Arc;

use bytes::Bytes;
use scenewright_contract::{Dialect, Listener};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

use crate::dialect::Choice;
use crate::server::Server;
use crate::session::{Flow, Session};
use crate::transport::lines::{self, Line};

/// Talk to the client on the standard streams until it closes them.
pub async fn serve(server: Arc<Server>) -> std::io::Result<()> {
    let (input, output) = rmcp::transport::stdio_pipes();
    serve_on(server, input, output).await
}

/// The same over any pair of streams.
pub async fn serve_on(
    server: Arc<Server>,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> std::io::Result<()> {
    let choice = Choice::Open(Dialect::Mcp);
    let (mut session, answers) = Session::new(server.clone(), Listener::Stdio, choice);
    let writer = tokio::spawn(write(output, answers));
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let mut line = Vec::new();
    let shutdown = server.shutdown.cancelled();
    tokio::pin!(shutdown);
    loop {
        let read = tokio::select! {
            read = lines::read(&mut input, &mut line, server.limits.message) => read?,
            () = &mut shutdown => break,
        };
        let flow = match read {
            Line::End => break,
            Line::Read if line.iter().all(u8::is_ascii_whitespace) => Flow::Continue,
            Line::Read => session.receive(&line).await,
            Line::TooLong(length) => session.too_long(length).await,
        };
        if flow == Flow::Close {
            break;
        }
    }
    session.finish().await;
    writer.await.map_err(std::io::Error::other)?
}

/// An answer of so many bytes is not copied to go out with others.
const LARGE: usize = 1 << 20;

/// Write answers as they come, many at a time when they come fast.
async fn write(
    mut output: impl AsyncWrite + Unpin,
    mut answers: mpsc::Receiver<Bytes>,
) -> std::io::Result<()> {
    let mut buffer = Vec::new();
    while let Some(answer) = answers.recv().await {
        buffer.clear();
        if answer.len() > LARGE {
            output.write_all(&answer).await?;
            output.write_all(b"\n").await?;
            output.flush().await?;
            continue;
        }
        append(&mut buffer, &answer);
        while let Ok(answer) = answers.try_recv() {
            append(&mut buffer, &answer);
        }
        output.write_all(&buffer).await?;
        output.flush().await?;
    }
    Ok(())
}

fn append(buffer: &mut Vec<u8>, answer: &[u8]) {
    buffer.extend_from_slice(answer);
    buffer.push(b'\n');
}
