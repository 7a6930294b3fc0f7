//! How the numbers of a mesh's vertices are stored: which there are, in which format and stream.

use super::Unreadable;
use crate::Value;

/// What a number of a vertex is for, in the order that files have had since 2018.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Usage(u8);

impl Usage {
    /// Where the vertex is.
    pub const POSITION: Usage = Usage(0);
    /// Where its surface looks.
    pub const NORMAL: Usage = Usage(1);
    /// Where its texture goes on; the fourth number is a side.
    pub const TANGENT: Usage = Usage(2);
    /// Its colour.
    pub const COLOR: Usage = Usage(3);
    /// How much each bone moves it.
    pub const WEIGHTS: Usage = Usage(12);
    /// Which bones do.
    pub const BONES: Usage = Usage(13);

    /// One of the eight places on textures.
    pub fn uv(number: u8) -> Usage {
        Usage(4 + number.min(7))
    }

    /// Whether it is of use only where bones move the mesh.
    pub fn is_skin(self) -> bool {
        self >= Usage::WEIGHTS
    }
}

/// How one number is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// 32 bits.
    Float,
    /// 16 bits.
    Half,
    /// From 0 to 1 in a byte.
    UNorm8,
    /// From -1 to 1 in a byte.
    SNorm8,
    /// From 0 to 1 in two bytes.
    UNorm16,
    /// From -1 to 1 in two bytes.
    SNorm16,
    /// A whole number.
    UInt8,
    /// A whole number.
    SInt8,
    /// A whole number.
    UInt16,
    /// A whole number.
    SInt16,
    /// A whole number.
    UInt32,
    /// A whole number.
    SInt32,
}

/// The formats by the numbers that files have had since 2019.
const FORMATS: [Format; 12] = [
    Format::Float,
    Format::Half,
    Format::UNorm8,
    Format::SNorm8,
    Format::UNorm16,
    Format::SNorm16,
    Format::UInt8,
    Format::SInt8,
    Format::UInt16,
    Format::SInt16,
    Format::UInt32,
    Format::SInt32,
];

/// The usages of the eight channels that files had up to 2017.
const EIGHT: [u8; 8] = [0, 1, 3, 4, 5, 6, 7, 2];

/// Which of Unity's tables of channels and formats a file goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edition {
    /// Up to 2017: eight channels, and a format of its own for colours.
    Eight,
    /// 2018: fourteen channels, and still that format.
    Fourteen,
    /// Since 2019.
    Modern,
}

impl Edition {
    /// The one that the version of `m_VertexData` tells.
    pub(super) fn of(version: Option<u64>, channels: usize) -> Edition {
        match version {
            Some(3..) => Edition::Modern,
            Some(2) => Edition::Fourteen,
            _ if channels > EIGHT.len() => Edition::Fourteen,
            _ => Edition::Eight,
        }
    }

    /// What each channel is for, in the order of the file.
    pub(super) fn usages(self) -> Vec<Usage> {
        match self {
            Edition::Eight => EIGHT.map(Usage).to_vec(),
            Edition::Fourteen | Edition::Modern => (0..14).map(Usage).collect(),
        }
    }

    fn format(self, number: u64) -> Option<Format> {
        let at = match (self, number) {
            (Edition::Modern, _) | (_, 0..=2) => number,
            // Three is what two is, for anything but colours.
            _ => number - 1,
        };
        FORMATS.get(usize::try_from(at).ok()?).copied()
    }

    /// The number of a format.
    pub(super) fn number(self, format: Format, usage: Usage) -> u64 {
        let at = FORMATS.iter().position(|known| *known == format).unwrap_or(0) as u64;
        let moves = match format {
            Format::Float | Format::Half => false,
            Format::UNorm8 => usage != Usage::COLOR,
            _ => true,
        };
        at + u64::from(self != Edition::Modern && moves)
    }

    /// The colours of files up to 2017 are one number of four bytes.
    pub(super) fn is_packed(self, format: Format, usage: Usage) -> bool {
        self == Edition::Eight && usage == Usage::COLOR && format == Format::UNorm8
    }
}

impl Format {
    /// How many bytes it takes.
    pub fn width(self) -> usize {
        match self {
            Format::Float | Format::UInt32 | Format::SInt32 => 4,
            Format::UNorm8 | Format::SNorm8 | Format::UInt8 | Format::SInt8 => 1,
            _ => 2,
        }
    }

    /// The number that bytes begin with.
    pub(super) fn get(self, bytes: &[u8]) -> Option<f64> {
        let two = || bytes.first_chunk().copied();
        let four = || bytes.first_chunk().copied();
        Some(match self {
            Format::Float => f32::from_le_bytes(four()?).into(),
            Format::Half => half(u16::from_le_bytes(two()?)).into(),
            Format::UNorm8 => f64::from(*bytes.first()?) / 255.0,
            Format::SNorm8 => (f64::from(*bytes.first()? as i8) / 127.0).max(-1.0),
            Format::UNorm16 => f64::from(u16::from_le_bytes(two()?)) / 65535.0,
            Format::SNorm16 => (f64::from(i16::from_le_bytes(two()?)) / 32767.0).max(-1.0),
            Format::UInt8 => (*bytes.first()?).into(),
            Format::SInt8 => (*bytes.first()? as i8).into(),
            Format::UInt16 => u16::from_le_bytes(two()?).into(),
            Format::SInt16 => i16::from_le_bytes(two()?).into(),
            Format::UInt32 => u32::from_le_bytes(four()?).into(),
            Format::SInt32 => i32::from_le_bytes(four()?).into(),
        })
    }
}

/// A channel as a file describes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Channel {
    pub(super) usage: Usage,
    pub(super) stream: u64,
    pub(super) offset: usize,
    pub(super) format: Format,
    pub(super) dimension: usize,
    /// The upper bits of the dimension, which say how many numbers an instance of the mesh has.
    pub(super) more: u64,
}

impl Channel {
    fn read(value: Value<'_>, usage: Usage, edition: Edition) -> Option<Channel> {
        let number = |key| value.get(key).and_then(Value::as_u64).filter(|number| *number < 4096);
        let format = edition.format(number("format")?)?;
        let dimension = number("dimension")?;
        let is_packed = edition.is_packed(format, usage) && dimension == 1;
        Some(Channel {
            usage,
            stream: number("stream").filter(|stream| *stream < 8)?,
            offset: number("offset")? as usize,
            format,
            dimension: if is_packed { 4 } else { (dimension & 0xf) as usize },
            more: dimension & !0xf,
        })
    }

    pub(super) fn size(&self) -> usize {
        self.dimension * self.format.width()
    }
}

/// Where everything is in the bytes of `m_VertexData`.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) count: usize,
    /// Those that have numbers.
    pub(super) channels: Vec<Channel>,
}

impl Layout {
    pub(super) fn read(data: Value<'_>) -> Result<Layout, Unreadable> {
        let broken = || Unreadable::Broken("m_VertexData");
        let count = data.get("m_VertexCount").and_then(Value::as_u64).ok_or_else(broken)?;
        let count = usize::try_from(count).ok().filter(|count| *count <= super::MAX_NUMBERS);
        let count = count.ok_or(Unreadable::TooLarge)?;
        let listed: Vec<Value<'_>> = data.get("m_Channels").ok_or_else(broken)?.items().collect();
        let version = data.get("serializedVersion").and_then(Value::as_u64);
        let edition = Edition::of(version, listed.len());
        let read = |(value, usage)| Channel::read(value, usage, edition);
        let channels: Option<Vec<Channel>> =
            listed.into_iter().zip(edition.usages()).map(read).collect();
        let mut channels = channels.ok_or(Unreadable::Broken("m_Channels"))?;
        channels.retain(|channel| channel.dimension > 0);
        Ok(Layout { count, channels })
    }

    /// The bytes of one vertex in a stream.
    pub(super) fn step(&self, stream: u64) -> usize {
        let own = self.channels.iter().filter(|channel| channel.stream == stream);
        let end = own.map(|channel| channel.offset + channel.size()).max().unwrap_or(0);
        end.next_multiple_of(4)
    }

    /// Streams stand one behind the other, each at a multiple of 16.
    pub(super) fn start(&self, stream: u64) -> usize {
        (0..stream)
            .fold(0, |at: usize, stream| (at + self.step(stream) * self.count).next_multiple_of(16))
    }

    /// The numbers of a channel, one vertex after the other.
    pub(super) fn pick(&self, channel: &Channel, bytes: &[u8]) -> Option<Vec<u8>> {
        let (start, step) = (self.start(channel.stream), self.step(channel.stream));
        let mut out = Vec::with_capacity(self.count * channel.size());
        for vertex in 0..self.count {
            let at = start + vertex * step + channel.offset;
            out.extend_from_slice(bytes.get(at..at + channel.size())?);
        }
        Some(out)
    }
}

/// A float of 16 bits.
pub(super) fn half(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (bits >> 15, (bits >> 10) & 0x1f, f32::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * 2_f32.powi(-24),
        0x1f => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2_f32.powi(i32::from(exponent) - 15),
    };
    if sign == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_floats() {
        let known =
            [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0x0001, 2_f32.powi(-24))];
        for (bits, number) in known {
            assert_eq!(half(bits), number);
        }
        assert!(half(0x7c00).is_nan());
    }

    #[test]
    fn formats_keep_their_numbers_in_every_edition() {
        for edition in [Edition::Eight, Edition::Fourteen, Edition::Modern] {
            let count = if edition == Edition::Modern { 12 } else { 13 };
            for number in 0..count {
                let format = edition.format(number).unwrap();
                let usage = if number == 2 { Usage::COLOR } else { Usage::WEIGHTS };
                assert_eq!(edition.number(format, usage), number, "{edition:?} {format:?}");
            }
            assert_eq!(edition.format(count), None);
        }
    }

    #[test]
    fn numbers_of_every_format_are_read() {
        let bytes = [0x80, 0xff, 0xff, 0xff];
        let read: Vec<f64> =
            FORMATS[2..].iter().map(|format| format.get(&bytes).unwrap()).collect();
        let least = f64::from(i32::from_le_bytes(bytes));
        let most = f64::from(u32::from_le_bytes(bytes));
        let (two, signed) = (f64::from(0xff80_u16), -128.0);
        let expected = [
            128.0 / 255.0,
            -1.0,
            two / 65535.0,
            signed / 32767.0,
            128.0,
            -128.0,
            two,
            signed,
            most,
            least,
        ];
        assert_eq!(read, expected);
        assert_eq!(Format::Float.get(&bytes[1..]), None);
    }
}
