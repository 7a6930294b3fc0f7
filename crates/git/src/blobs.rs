//! Content that git keeps, asked for all at once and read one after the other.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::thread;

use crate::{Repository, output, program};

/// The longest line that tells of one content.
const MOST_HEAD: u64 = 4 << 10;

/// Blobs in the order that they were asked for.
#[derive(Debug, Default)]
pub struct Blobs {
    child: Option<Child>,
    reader: Option<BufReader<ChildStdout>>,
}

impl Blobs {
    /// Ask for the content of these ids.
    ///
    /// # Errors
    ///
    /// When git cannot be started.
    pub fn open(repository: &Repository, folder: &Path, ids: &[&str]) -> io::Result<Blobs> {
        if ids.is_empty() {
            return Ok(Blobs::default());
        }
        let mut command = repository.git(folder);
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stderr(Stdio::null());
        let mut child = program::start(&mut command)?;
        let input = child.stdin.take();
        let ids = ids.join("\n") + "\n";
        // Beside the reader, for a full pipe would stop both.
        thread::spawn(move || input.map(|mut input| input.write_all(ids.as_bytes())));
        let reader = child.stdout.take().map(BufReader::new);
        Ok(Blobs { child: Some(child), reader })
    }

    /// The content of the next one, if it has no more than `most` bytes.
    ///
    /// # Errors
    ///
    /// When git does not have it, or when it is larger.
    pub fn next(&mut self, most: usize) -> io::Result<Vec<u8>> {
        let reader =
            self.reader.as_mut().ok_or_else(|| io::Error::other("nothing was asked for"))?;
        let mut head = Vec::new();
        reader.by_ref().take(MOST_HEAD).read_until(b'\n', &mut head)?;
        let Some(size) = output::blob_size(&head) else {
            let said = String::from_utf8_lossy(&head);
            return Err(io::Error::other(format!("git has no content: {}", said.trim_end())));
        };
        if size > most {
            // The next one comes behind it.
            io::copy(&mut reader.by_ref().take(size as u64 + 1), &mut io::sink())?;
            let why = format!("it has {size} bytes, and {most} are read at most");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        let mut content = vec![0; size];
        reader.read_exact(&mut content)?;
        reader.read_exact(&mut [0])?;
        Ok(content)
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        self.reader = None;
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
