//! Large files in parts, one for each core.

use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;
use std::thread;

use scenewright_text::beneath;

use crate::os;

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

/// The bytes of a file below `root`. Most of the time goes into filling fresh memory, which all cores can do.
pub fn read_file(root: &Path, path: &Path) -> io::Result<Vec<u8>> {
    let mut file = beneath::open(root, path)?;
    let size = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
    if size >= LARGE
        && let Ok(bytes) = read_large(&file, size)
    {
        return Ok(bytes);
    }
    let mut bytes = Vec::with_capacity(size.saturating_add(1));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_large(file: &File, size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; size];
    let each = part(size, LARGE);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..)
            .step_by(each)
            .zip(bytes.chunks_mut(each))
            .map(|(start, part)| scope.spawn(move || os::read_part(file, start as u64, part)))
            .collect();
        let mut done = readers.into_iter();
        done.try_for_each(|reader| reader.join().expect("reading does not panic"))
    })?;
    match file.metadata()?.len() == bytes.len() as u64 {
        true => Ok(bytes),
        false => Err(io::Error::other("the file changed while it was read")),
    }
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
        std::fs::write(&path, &bytes).unwrap();
        assert!(read_file(project.root(), &path).unwrap() == bytes);
        let file = File::open(&path).unwrap();
        assert!(read_large(&file, bytes.len() - 1).is_err());
        assert!(read_large(&file, bytes.len() + 1).is_err());
    }
}
