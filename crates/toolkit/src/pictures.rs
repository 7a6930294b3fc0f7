//! Pictures as clients can take them: small by default, and as a file where a client would put their bytes into the prompt.

#![expect(clippy::disallowed_methods, reason = "files of our own, outside every project")]

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat, ImageReader};
use scenewright_contract::Image;
use scenewright_text::temporary::Temporary;

/// What a model pays for a picture grows with its size, and a screenshot says as much at this one.
const MAX_BYTES: usize = 100 * 1024;
/// Of a JPEG. Less shows as smears around text.
const QUALITY: u8 = 80;
/// A picture is made smaller by this factor until it fits.
const STEP: f64 = 0.8;
/// A smaller picture shows nothing.
const MIN_SIDE: u32 = 64;
/// A decoder takes no more pixels on a side, and no more memory.
const MAX_SIDE: u32 = 8192;
const MAX_MEMORY: u64 = 256 << 20;
/// The picture in at most 100 KB. One that cannot be read stays as it is.
pub(crate) fn small(picture: Image) -> Image {
    if picture.bytes.len() <= MAX_BYTES {
        return picture;
    }
    let Some(decoded) = decode(&picture) else { return picture };
    let (mut width, mut height) = (f64::from(decoded.width()), f64::from(decoded.height()));
    loop {
        let size = (width.round() as u32, height.round() as u32);
        let scaled = match size == (decoded.width(), decoded.height()) {
            true => decoded.clone(),
            false => decoded.resize_exact(size.0.max(1), size.1.max(1), FilterType::Triangle),
        };
        match jpeg(&scaled) {
            Some(bytes) if bytes.len() <= MAX_BYTES || size.0.max(size.1) <= MIN_SIDE => {
                return Image { mime: "image/jpeg", bytes };
            }
            Some(_) => (width, height) = (width * STEP, height * STEP),
            None => return picture,
        }
    }
}

fn decode(picture: &Image) -> Option<DynamicImage> {
    let format = ImageFormat::from_mime_type(picture.mime)?;
    let mut reader = ImageReader::with_format(Cursor::new(&picture.bytes), format);
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    reader.decode().ok()
}

fn jpeg(picture: &DynamicImage) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
    picture.to_rgb8().write_with_encoder(encoder).ok()?;
    Some(bytes)
}

/// The picture as a file that is there as long as this process.
pub(crate) fn to_file(picture: &Image) -> Option<PathBuf> {
    static FOLDER: OnceLock<Option<Temporary>> = OnceLock::new();
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let folder = FOLDER.get_or_init(|| Temporary::new().ok()).as_ref()?;
    let ending = picture.mime.rsplit('/').next().unwrap_or("png");
    let name = format!("picture-{}.{ending}", NEXT.fetch_add(1, Ordering::Relaxed));
    let path = folder.path().join(name);
    std::fs::write(&path, &picture.bytes).ok()?;
    Some(path)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    /// A picture of noise, which no format makes small.
    fn noise(width: u32, height: u32) -> Image {
        let mut state = 1_u32;
        let picture = RgbImage::from_fn(width, height, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [_, r, g, b] = state.to_be_bytes();
            Rgb([r, g, b])
        });
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
        Image { mime: "image/png", bytes: bytes.into_inner() }
    }

    #[test]
    fn a_large_picture_is_made_small_and_keeps_its_shape() {
        let large = noise(1024, 512);
        assert!(large.bytes.len() > 10 * MAX_BYTES);
        let small = small(large);
        assert!(small.bytes.len() <= MAX_BYTES && small.mime == "image/jpeg");
        let decoded = decode(&small).unwrap();
        let shape = f64::from(decoded.width()) / f64::from(decoded.height());
        assert!((shape - 2.0).abs() < 0.05 && decoded.width() > 200, "{}", decoded.width());
    }

    #[test]
    fn a_small_picture_and_one_that_cannot_be_read_stay_as_they_are() {
        let picture = noise(64, 64);
        assert_eq!(small(picture.clone()), picture);
        let broken = Image { mime: "image/png", bytes: vec![0; MAX_BYTES + 1] };
        assert_eq!(small(broken.clone()), broken);
    }

    #[test]
    fn a_client_that_pastes_bytes_gets_a_file() {
        let picture = noise(8, 8);
        let path = to_file(&picture).unwrap();
        assert_eq!(std::fs::read(path).unwrap(), picture.bytes);
    }
}
