//! Frames over TCP, spec 002: a little-endian `u32` length, then that many bytes of JSON.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use scenewright_contract::{Dialect, ErrorKind, Listener, ToolError};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::dialect::Choice;
use crate::reply::{self, ReplyId};
use crate::server::Server;
use crate::session::{Flow, Session};
use crate::transport::seats::Seat;
use crate::transport::{self, LastHeard, end_of, lost};

/// What a connection keeps between its messages.
const KEPT: usize = 64 * 1024;

/// What comes after a refused frame is taken for so long, so that the client reads why.
const LINGER: Duration = Duration::from_secs(2);

/// Serve framed clients until the server shuts down.
pub async fn serve(server: Arc<Server>, listener: TcpListener) {
    transport::accept(server, listener, connection).await;
}

async fn connection(server: Arc<Server>, stream: TcpStream, seat: Option<Arc<Seat>>) {
    let (input, mut output) = stream.into_split();
    if seat.is_none() {
        let most = server.limits.connections;
        let error = ToolError::new(
            ErrorKind::RateLimited,
            format!("all {most} connections are in use; try again later"),
        );
        let answer = reply::failure(ReplyId::Null, Dialect::Framed, &error);
        let _ = write_frames(&mut output, [answer.into()]).await;
        return;
    }
    if let Err(error) = serve_seated(server, input, output, seat).await {
        tracing::debug!(%error, "a framed connection ended");
    }
}

/// Serve one client over any pair of streams.
pub async fn serve_on(
    server: Arc<Server>,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> io::Result<()> {
    serve_seated(server, input, output, None).await
}

async fn serve_seated(
    server: Arc<Server>,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
    seat: Option<Arc<Seat>>,
) -> io::Result<()> {
    let choice = Choice::Open(Dialect::Mcp);
    let (mut session, answers) = Session::new(server.clone(), Listener::Framed, choice);
    session.sit(seat.clone());
    let writer = tokio::spawn(write(output, answers));
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let last = LastHeard::now();
    let mut frame = Vec::new();
    let end = end_of(&server, &last);
    tokio::pin!(end);
    let mut is_refused = false;
    let result = loop {
        let read = tokio::select! {
            read = read_frame(&mut input, &mut frame, session.longest()) => read,
            () = &mut end => Ok(Frame::End),
            () = lost(seat.as_deref()) => Ok(Frame::End),
        };
        last.touch();
        let flow = match read {
            Ok(Frame::Read) => {
                let flow = session.receive(&frame).await;
                frame.clear();
                frame.shrink_to(KEPT);
                flow
            }
            // Its bytes need not come to know that; nor would anything after them be understood by
            // who took a length for another, as a bridge with big-endian ones does.
            Ok(Frame::TooLong(length)) => {
                session.too_long(length).await;
                is_refused = true;
                break Ok(());
            }
            Ok(Frame::End) => break Ok(()),
            Err(error) => break Err(error),
        };
        if session.is_streaming() {
            last.keep();
        }
        if flow == Flow::Close {
            break Ok(());
        }
    };
    session.finish().await;
    writer.await.map_err(io::Error::other)??;
    if is_refused {
        // Closing a connection with something unread in it would take the answer back.
        let mut nowhere = tokio::io::sink();
        let rest = tokio::io::copy(&mut input, &mut nowhere);
        let _ = tokio::time::timeout(LINGER, rest).await;
    }
    result
}

enum Frame {
    Read,
    TooLong(u64),
    End,
}

async fn read_frame(
    input: &mut (impl AsyncRead + Unpin),
    frame: &mut Vec<u8>,
    most: usize,
) -> io::Result<Frame> {
    let mut length = [0; 4];
    let first = input.read(&mut length).await?;
    if first == 0 {
        return Ok(Frame::End);
    }
    input.read_exact(&mut length[first..]).await.map_err(truncated)?;
    let length = u64::from(u32::from_le_bytes(length));
    if length > most as u64 {
        return Ok(Frame::TooLong(length));
    }
    // The length is only a promise: room is made for what has come.
    frame.clear();
    let read = input.take(length).read_to_end(frame).await?;
    if (read as u64) < length {
        return Err(truncated(io::ErrorKind::UnexpectedEof.into()));
    }
    Ok(Frame::Read)
}

fn truncated(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            io::Error::new(error.kind(), "truncated: the stream ended inside a frame")
        }
        _ => error,
    }
}

/// Write answers as they come, many at a time when they come fast.
async fn write(
    mut output: impl AsyncWrite + Unpin,
    mut answers: mpsc::Receiver<Bytes>,
) -> io::Result<()> {
    let mut waiting = Vec::new();
    while answers.recv_many(&mut waiting, 64).await > 0 {
        write_frames(&mut output, waiting.drain(..)).await?;
    }
    output.shutdown().await
}

async fn write_frames(
    output: &mut (impl AsyncWrite + Unpin),
    answers: impl IntoIterator<Item = Bytes>,
) -> io::Result<()> {
    let mut buffer = Vec::new();
    for answer in answers {
        let length = u32::try_from(answer.len()).map_err(io::Error::other)?;
        buffer.extend_from_slice(&length.to_le_bytes());
        buffer.extend_from_slice(&answer);
    }
    output.write_all(&buffer).await?;
    output.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_length_takes_no_memory_until_its_bytes_come() {
        let mut input: &[u8] = &[&(16_u32 << 20).to_le_bytes()[..], b"0123456789"].concat();
        let mut frame = Vec::new();
        let read = read_frame(&mut input, &mut frame, 16 << 20).await;
        let Err(error) = read else { panic!("half a frame was read") };
        assert_eq!(error.to_string(), "truncated: the stream ended inside a frame");
        assert!(frame.capacity() < 4096, "{}", frame.capacity());
    }
}
