//! What can happen to the bytes of a file.

use crate::random::Random;

type Mutation = (&'static str, fn(&mut Random, &[u8]) -> Vec<u8>);

const MUTATIONS: [Mutation; 19] = [
    ("flipped bits", flip_bits),
    ("random bytes", random_bytes),
    ("its end cut off", cut_off),
    ("nothing in it", |_, _| Vec::new()),
    ("a chunk doubled", double_chunk),
    ("a chunk removed", remove_chunk),
    ("chunks exchanged", exchange_chunks),
    ("a line many times", repeat_line),
    ("lines removed", remove_lines),
    ("lines shuffled", shuffle_lines),
    ("a huge number", |random, bytes| replace_number(random, bytes, HUGE)),
    ("a strange number", |random, bytes| replace_number(random, bytes, STRANGE)),
    ("deep nesting", nest_deeply),
    ("deep indentation", indent_deeply),
    ("NULs", |random, bytes| insert(random, bytes, &[0; 9])),
    ("CRLF", |_, bytes| replace_newlines(bytes, b"\r\n")),
    ("CR", |_, bytes| replace_newlines(bytes, b"\r")),
    ("UTF-16", |_, bytes| utf16(bytes)),
    ("a very long line", |random, bytes| insert(random, bytes, &vec![b'x'; 1 << 20])),
];

const HUGE: &[&[u8]] = &[
    b"99999999999999999999999999999999",
    b"18446744073709551616",
    b"9223372036854775808",
    b"-9223372036854775809",
    b"4294967296",
];
const STRANGE: &[&[u8]] =
    &[b"-1", b"1e999", b"nan", b"-inf", b"0x7fffffff", b"0", b"\xd9\xa3", b""];
/// Deeper than any stack.
const DEEP: usize = 200_000;

/// Mutate once or twice, or put another file in its place; and what was done.
pub(super) fn mutate(random: &mut Random, bytes: &[u8], other: &[u8]) -> (String, Vec<u8>) {
    if random.below(20) == 0 {
        return ("another file in its place".to_owned(), other.to_vec());
    }
    let (first, mutation) = random.pick(&MUTATIONS);
    let mutated = mutation(random, bytes);
    if random.below(3) > 0 {
        return ((*first).to_owned(), mutated);
    }
    let (second, mutation) = random.pick(&MUTATIONS);
    (format!("{first} and {second}"), mutation(random, &mutated))
}

fn flip_bits(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(16) {
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
    bytes
}

fn random_bytes(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let noise: Vec<u8> = (0..1 + random.below(64)).map(|_| random.next() as u8).collect();
    insert(random, bytes, &noise)
}

fn cut_off(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    bytes[..random.below(bytes.len())].to_vec()
}

/// Two places in the file, in order.
fn chunk(random: &mut Random, bytes: &[u8]) -> (usize, usize) {
    let (one, other) = (random.below(bytes.len() + 1), random.below(bytes.len() + 1));
    (one.min(other), one.max(other))
}

fn double_chunk(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let (from, to) = chunk(random, bytes);
    [&bytes[..to], &bytes[from..]].concat()
}

fn remove_chunk(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let (from, to) = chunk(random, bytes);
    [&bytes[..from], &bytes[to..]].concat()
}

fn exchange_chunks(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let (from, to) = chunk(random, bytes);
    let middle = from + random.below(to - from + 1);
    [&bytes[..from], &bytes[middle..to], &bytes[from..middle], &bytes[to..]].concat()
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

fn repeat_line(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut lines = lines(bytes);
    let at = random.below(lines.len());
    let Some(line) = lines.get(at).copied() else { return Vec::new() };
    let times = [2, 50, 5000][random.below(3)];
    lines.splice(at..at, std::iter::repeat_n(line, times));
    lines.concat()
}

fn remove_lines(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut lines = lines(bytes);
    let from = random.below(lines.len());
    let to = lines.len().min(from + 1 + random.below(5));
    lines.drain(from..to);
    lines.concat()
}

fn shuffle_lines(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut lines = lines(bytes);
    for at in 1..lines.len() {
        lines.swap(at, random.below(at + 1));
    }
    lines.concat()
}

/// Put one of these in the place of a number.
fn replace_number(random: &mut Random, bytes: &[u8], by: &[&[u8]]) -> Vec<u8> {
    let is_start =
        |at: &usize| bytes[*at].is_ascii_digit() && (*at == 0 || !bytes[at - 1].is_ascii_digit());
    let starts: Vec<usize> = (0..bytes.len()).filter(is_start).collect();
    if starts.is_empty() {
        return bytes.to_vec();
    }
    let from = *random.pick(&starts);
    let length = bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    [&bytes[..from], *random.pick(by), &bytes[from + length..]].concat()
}

fn nest_deeply(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    const OPENERS: [&[u8]; 6] = [b"[", b"{", b"(", b"{a: ", b"Array([", b"- "];
    let opener = random.pick(&OPENERS).repeat(DEEP / 4);
    // After a value's sign the depth is a value; elsewhere it is noise.
    let values: Vec<usize> =
        (1..bytes.len()).filter(|at| matches!(bytes[at - 1], b'=' | b':' | b'(')).collect();
    match values.is_empty() {
        true => insert(random, bytes, &opener),
        false => insert_at(bytes, *random.pick(&values), &opener),
    }
}

/// Each line further in than the one before.
fn indent_deeply(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let deep: Vec<u8> =
        (0..1000).flat_map(|depth| [&b" ".repeat(depth)[..], b"a:\n"].concat()).collect();
    insert(random, bytes, &deep)
}

fn replace_newlines(bytes: &[u8], by: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    parts.join(by)
}

fn utf16(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

fn insert(random: &mut Random, bytes: &[u8], what: &[u8]) -> Vec<u8> {
    let at = random.below(bytes.len() + 1);
    insert_at(bytes, at, what)
}

fn insert_at(bytes: &[u8], at: usize, what: &[u8]) -> Vec<u8> {
    [&bytes[..at], what, &bytes[at..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_any_bytes() {
        for bytes in [&b""[..], b"a", b"a = 12\r\nb: [3]\n", &[0xff; 9]] {
            for (step, (_, mutation)) in MUTATIONS.iter().enumerate() {
                let mut random = Random::new(1, "takes any bytes", step);
                (0..2).for_each(|_| drop(mutation(&mut random, bytes)));
            }
        }
    }

    #[test]
    fn replaces_a_whole_number() {
        let mut random = Random::new(1, "numbers", 0);
        assert_eq!(replace_number(&mut random, b"a = 12;", &[b"7"]), b"a = 7;");
    }
}
