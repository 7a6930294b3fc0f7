//! Pictures that are read, changed and written: PNG, JPEG, TGA and BMP.

use std::collections::BTreeSet;
use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::door::{self, ProjectPath};
use scenewright_unity::index::Asset;
use scenewright_unity::{Document, FileId};

use super::Unity;
use super::assets::ending;

/// The id of the sprite that is a whole texture.
const ONLY_SPRITE: FileId = FileId(21_300_000);
/// So many users are named.
const MAX_TOLD: usize = 5;
/// Larger pictures are not read: they would not fit into the memory of a small machine.
const MAX_SIDE: u32 = 16_384;
/// So much memory a picture may take.
const MAX_BYTES: u64 = 1 << 30;

/// The format of a file, by what it ends in.
pub fn format(path: &str) -> Option<ImageFormat> {
    match ending(path).to_ascii_lowercase().as_str() {
        "png" => Some(ImageFormat::Png),
        "jpg" | "jpeg" => Some(ImageFormat::Jpeg),
        "tga" => Some(ImageFormat::Tga),
        "bmp" => Some(ImageFormat::Bmp),
        _ => None,
    }
}

impl Unity<'_> {
    /// The picture that a call names.
    pub fn picture(&self, text: &str) -> Result<(ProjectPath, DynamicImage), ToolError> {
        let asset = self.asset(Some(text), None).map_err(|error| {
            let message = format!("Texture not found: {}", error.message);
            ToolError { message, ..error }
        })?;
        let path = ProjectPath::parse(self.project, &asset.path())?;
        let bytes = door::read(self.cx, self.project, &path)?;
        decode(&path, &bytes).map(|picture| (path, picture))
    }

    /// The meta of a file, if it has one.
    pub fn meta_of(&self, path: &ProjectPath) -> Option<Vec<u8>> {
        let meta = self.meta_path(path).ok()?;
        door::read(self.cx, self.project, &meta).ok()
    }

    /// Says who shows a texture as its one sprite, when its meta makes it no single one any more.
    pub fn tell_lost_sprite(&self, path: &ProjectPath, before: &[u8], after: &[u8]) {
        if !is_single(before) || is_single(after) {
            return;
        }
        let guid = self.index.by_path(path.as_str()).and_then(|asset| asset.guid());
        let shows = |user: &Asset<'_>| {
            user.document().is_ok_and(|document| {
                let mut found = document.references().map(|found| found.reference);
                found.any(|one| one.guid == guid && one.file_id == ONLY_SPRITE)
            })
        };
        let users = guid.into_iter().flat_map(|guid| self.index.incoming(guid)).filter(shows);
        let users: BTreeSet<String> = users.map(|user| user.path()).collect();
        if users.is_empty() {
            return;
        }
        let few: Vec<&str> = users.iter().take(MAX_TOLD).map(String::as_str).collect();
        let more = match users.len() - few.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        self.cx.diagnose(format!(
            "{path} is no single sprite any more, so these lose it: {}{more}.",
            few.join(", ")
        ));
    }
}

/// Whether a meta makes one sprite of a whole texture.
fn is_single(meta: &[u8]) -> bool {
    let document = Document::parse(meta);
    let number = |key: &str| document.root().get("TextureImporter")?.get(key)?.as_i64();
    number("textureType") == Some(8) && number("spriteMode") == Some(1)
}

/// A picture from the bytes of a file.
pub fn decode(path: &ProjectPath, bytes: &[u8]) -> Result<DynamicImage, ToolError> {
    let unread = |why: String| {
        ToolError::new(ErrorKind::EngineError, format!("{path} cannot be read as a picture: {why}"))
            .detail("path", path.as_str())
    };
    if bytes.starts_with(b"version https://git-lfs") {
        return Err(unread("it is a Git LFS pointer".into()).hint("run `git lfs pull`"));
    }
    let Some(format) = format(path.as_str()) else {
        return Err(unread("its format is not one of PNG, JPEG, TGA and BMP".into()));
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    reader.decode().map_err(|error| unread(error.to_string()))
}

/// The bytes of a file with a picture.
pub fn encode(path: &str, picture: &DynamicImage) -> Result<Vec<u8>, ToolError> {
    let failed = |why: String| ToolError::failed(format!("{path} cannot be written: {why}"));
    let format = format(path).ok_or_else(|| failed("its format is not known".into()))?;
    let mut bytes = Cursor::new(Vec::new());
    let written = match (format, picture.color().has_alpha()) {
        // JPEG has no alpha.
        (ImageFormat::Jpeg, true) => picture.to_rgb8().write_to(&mut bytes, format),
        _ => picture.write_to(&mut bytes, format),
    };
    written.map_err(|error| failed(error.to_string()))?;
    Ok(bytes.into_inner())
}

/// A picture of another size. Colours of pixels that are not seen do not bleed into others.
pub fn resize(
    picture: &DynamicImage,
    width: u32,
    height: u32,
    filter: image::imageops::FilterType,
) -> DynamicImage {
    if !picture.color().has_alpha() || filter == image::imageops::FilterType::Nearest {
        return picture.resize_exact(width, height, filter);
    }
    let is_deep = picture.color().bytes_per_pixel() > 4;
    let mut pixels = picture.to_rgba32f();
    for pixel in pixels.pixels_mut() {
        let [r, g, b, a] = pixel.0;
        pixel.0 = [r * a, g * a, b * a, a];
    }
    let mut small = image::imageops::resize(&pixels, width, height, filter);
    for pixel in small.pixels_mut() {
        let [r, g, b, a] = pixel.0;
        if a > 0.0 {
            pixel.0 = [r / a, g / a, b / a, a];
        }
    }
    let small = DynamicImage::ImageRgba32F(small);
    match is_deep {
        true => DynamicImage::ImageRgba16(small.to_rgba16()),
        false => DynamicImage::ImageRgba8(small.to_rgba8()),
    }
}

#[cfg(test)]
mod tests {
    use image::imageops::FilterType;
    use image::{Rgba, RgbaImage};

    use super::*;

    #[test]
    fn unseen_colours_do_not_bleed() {
        let mut picture = RgbaImage::from_pixel(2, 1, Rgba([255, 0, 0, 255]));
        picture.put_pixel(1, 0, Rgba([0, 255, 0, 0]));
        let small = resize(&picture.into(), 1, 1, FilterType::Triangle).to_rgba8();
        let [r, g, _, a] = small.get_pixel(0, 0).0;
        assert_eq!((r, g), (255, 0));
        assert!((127..=128).contains(&a), "{a}");
    }

    #[test]
    fn pictures_come_back_as_they_were_written() {
        let picture: DynamicImage =
            RgbaImage::from_fn(3, 2, |x, y| Rgba([x as u8, y as u8, 9, 200])).into();
        for path in ["a.png", "a.tga", "a.BMP"] {
            let bytes = encode(path, &picture).unwrap();
            let format = format(path).unwrap();
            let back = ImageReader::with_format(Cursor::new(bytes), format).decode().unwrap();
            assert_eq!(back.to_rgba8(), picture.to_rgba8(), "{path}");
        }
        assert!(encode("a.jpg", &picture).unwrap().starts_with(&[0xff, 0xd8]));
        assert!(encode("a.psd", &picture).is_err());
    }
}
