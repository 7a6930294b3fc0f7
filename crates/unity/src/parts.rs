//! Large files in parts, one for each core.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::thread;

/// A file below this size is read sooner than threads are started.
const LARGE: usize = 8 << 20;

/// Does `work` on the parts of `0..count`, side by side when there are `many`; what came of each, in
/// order.
pub(crate) fn in_parts<T: Send>(
    count: usize,
    many: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let each = part(count, many);
    if each >= count {
        return vec![work(0..count)];
    }
    let work = &work;
    // Threads of their own: one of a pool might take up work that waits for this very file.
    thread::scope(|scope| {
        let others: Vec<_> = (each..count)
            .step_by(each)
            .map(|start| scope.spawn(move || work(start..count.min(start + each))))
            .collect();
        let first = work(0..each);
        let others = others.into_iter().map(|other| other.join().expect("the work does not panic"));
        std::iter::once(first).chain(others).collect()
    })
}

fn part(count: usize, many: usize) -> usize {
    let threads =
        if count < many { 1 } else { thread::available_parallelism().map_or(1, usize::from) };
    count.div_ceil(threads).max(1)
}

/// The bytes of a file. Most of the time goes into filling fresh memory, which all cores can do.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let size = fs::metadata(path)?.len();
    match usize::try_from(size) {
        Ok(size) if size >= LARGE => read_large(path, size).or_else(|_| fs::read(path)),
        _ => fs::read(path),
    }
}

fn read_large(path: &Path, size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; size];
    let each = part(size, LARGE);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..)
            .step_by(each)
            .zip(bytes.chunks_mut(each))
            .map(|(start, part)| scope.spawn(move || read_part(path, start as u64, part)))
            .collect();
        let mut done = readers.into_iter();
        done.try_for_each(|reader| reader.join().expect("reading does not panic"))
    })?;
    match fs::metadata(path)?.len() == bytes.len() as u64 {
        true => Ok(bytes),
        false => Err(io::Error::other("the file changed while it was read")),
    }
}

fn read_part(path: &Path, start: u64, part: &mut [u8]) -> io::Result<()> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_in_order_and_whole() {
        for count in [0, 1, 7, 100] {
            let parts = in_parts(count, 5, |part: Range<usize>| part.collect::<Vec<usize>>());
            assert_eq!(parts.concat(), (0..count).collect::<Vec<usize>>());
        }
    }

    #[test]
    fn a_large_file_is_read_as_it_is() {
        let project = scenewright_fixture::Folder::empty();
        let path = project.path("Large.bin");
        let bytes: Vec<u8> = (0..LARGE + 4321).map(|at| (at % 251) as u8).collect();
        fs::write(&path, &bytes).unwrap();
        assert!(read_file(&path).unwrap() == bytes);
        assert!(read_large(&path, bytes.len() - 1).is_err());
        assert!(read_large(&path, bytes.len() + 1).is_err());
    }
}
