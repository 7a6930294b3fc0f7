//! Archives with the same bytes for the same content, and checksums.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Larger than any program of ours.
const LARGEST_PROGRAM: u64 = 512 << 20;

/// A file of an archive.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    pub(super) is_program: bool,
}

impl Entry {
    pub(super) fn text(path: impl Into<String>, text: impl Into<String>) -> Entry {
        Entry { path: path.into(), bytes: text.into().into_bytes(), is_program: false }
    }

    pub(super) fn file(path: impl Into<String>, bytes: Vec<u8>) -> Entry {
        Entry { path: path.into(), bytes, is_program: false }
    }

    pub(super) fn program(path: impl Into<String>, bytes: &[u8]) -> Entry {
        Entry { path: path.into(), bytes: bytes.to_owned(), is_program: true }
    }

    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

pub(super) fn tar_gz(entries: &[Entry]) -> Result<Vec<u8>> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for entry in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(entry.mode());
        // Not 0: npm and some file systems take that for no time at all.
        header.set_mtime(1_000_000_000);
        tar.append_data(&mut header, &entry.path, entry.bytes.as_slice())?;
    }
    Ok(tar.into_inner()?.finish()?)
}

pub(super) fn zip(entries: &[Entry]) -> Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(0o100_000 | entry.mode());
        zip.start_file(entry.path.as_str(), options)?;
        zip.write_all(&entry.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Unpack into a folder, with the rights of its files.
pub(super) fn unpack_zip(archive: &Path, folder: &Path) -> Result<()> {
    let bytes = fs::read(archive).with_context(|| archive.display().to_string())?;
    Ok(ZipArchive::new(Cursor::new(bytes))?.extract(folder)?)
}

/// The program in an archive of a release.
pub(super) fn program_in(archive: &Path, path: &str) -> Result<Vec<u8>> {
    let bytes = fs::read(archive).with_context(|| archive.display().to_string())?;
    let found = match archive.extension().is_some_and(|ending| ending == "zip") {
        true => find_in_zip(bytes, path),
        false => find_in_tar_gz(&bytes, path),
    };
    found.with_context(|| format!("the program in {}", archive.display()))
}

fn find_in_zip(bytes: Vec<u8>, path: &str) -> Result<Vec<u8>> {
    let mut zip = ZipArchive::new(Cursor::new(bytes))?;
    read_bounded(zip.by_name(path).with_context(|| format!("no {path}"))?)
}

fn find_in_tar_gz(bytes: &[u8], path: &str) -> Result<Vec<u8>> {
    let mut tar = tar::Archive::new(GzDecoder::new(bytes));
    for entry in tar.entries()? {
        let entry = entry?;
        if entry.path()? == Path::new(path) {
            return read_bounded(entry);
        }
    }
    bail!("no {path}")
}

fn read_bounded(program: impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    program.take(LARGEST_PROGRAM + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= LARGEST_PROGRAM, "larger than {LARGEST_PROGRAM} bytes");
    Ok(bytes)
}

pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

pub(super) fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Base64 as the record of a wheel has it.
pub(super) fn base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_content_gives_the_same_bytes_and_comes_out_again() {
        let entries = [Entry::text("a/LICENSE", "words"), Entry::program("a/run", b"program")];
        let folder = std::env::temp_dir().join(format!("xtask-archive-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, pack) in [("x.zip", zip as fn(&[Entry]) -> _), ("x.tar.gz", tar_gz)] {
            let bytes: Vec<u8> = pack(&entries).unwrap();
            assert_eq!(bytes, pack(&entries).unwrap(), "{name}");
            fs::write(folder.join(name), bytes).unwrap();
            assert_eq!(program_in(&folder.join(name), "a/run").unwrap(), b"program");
            let error = program_in(&folder.join(name), "b/run").unwrap_err();
            assert!(format!("{error:#}").contains("no b/run"), "{error:#}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn digests_are_written_as_others_write_them() {
        let empty = sha256(b"");
        assert!(hex(&empty).starts_with("e3b0c44298fc1c14"));
        assert_eq!(base64(&empty), "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
    }
}
