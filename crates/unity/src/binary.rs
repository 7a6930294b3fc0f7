//! Binary files of Unity: scenes, prefabs and assets of projects that are not kept as text, and what
//! is binary in every project, such as lighting data, terrains and navigation meshes.
//!
//! A file says where its objects are and, most of the time, which fields their classes have; where
//! it does not, [`types`](crate::types) knows. Opening a file reads only that. Objects are read when
//! they are asked for, and of those only what is asked for: large lists are stepped over. Nothing is
//! believed: what lies outside the file or takes more steps than its size explains is an error.
//!
//! ```no_run
//! use scenewright_unity::binary::BinaryFile;
//!
//! let bytes = std::fs::read("Assets/Scenes/Main/LightingData.asset")?;
//! let file = BinaryFile::open(&bytes)?;
//! for object in file.objects() {
//!     println!("{} {} {:?}", object.file_id(), object.class_name(), object.name());
//!     for reference in object.references()? {
//!         println!("  {} {:?}", reference.file_id, reference.guid);
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod header;
mod metadata;
mod object;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod tree;
mod value;
mod walk;

use crate::types::Version;
use crate::{ClassId, FileId, Guid};

use header::Header;
use metadata::{Place, Type};

pub use object::Object;
pub use text::Detail;
pub use value::{Kind, Value};

/// A binary file, of which everything but the objects themselves was read.
#[derive(Debug)]
pub struct BinaryFile<'a> {
    bytes: &'a [u8],
    format: u32,
    big_endian: bool,
    version_text: &'a str,
    version: Version,
    types: Vec<Type>,
    places: Vec<Place>,
    /// Scripts of the objects: the number of an external, 0 for the file itself, and a file id.
    scripts: Vec<(i32, FileId)>,
    externals: Vec<External>,
    /// Classes of objects that are kept inside of others.
    inner_types: Vec<Type>,
}

/// Another file that a file refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct External {
    /// The asset; all zeros when only the path is known.
    pub guid: Guid,
    /// As in text files: 2 for assets read as they are, 3 for import results, 0 for others.
    pub kind: i32,
    /// Where it is, for what is no asset of the project: `library/unity default resources`.
    pub path: String,
}

/// Why a file or an object in it cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BinaryError {
    /// It is something else.
    #[error("this is no binary file of Unity: {0}")]
    Other(&'static str),
    /// It is of a format that is not known.
    #[error("binary files of format {0} are not known, only 7 (Unity 3) to 23 (Unity 6)")]
    Format(u32),
    /// Something goes on behind the end.
    #[error("the file ends inside {what}, which starts or goes on at byte {at}")]
    Ends {
        /// What does.
        what: &'static str,
        /// Where it was read.
        at: usize,
    },
    /// A number that nothing in the file can explain.
    #[error("{what} at byte {at} says {number}, which cannot be")]
    Impossible {
        /// What says it.
        what: &'static str,
        /// Where it is.
        at: usize,
        /// The number.
        number: i64,
    },
    /// The layout of a class is none.
    #[error("the layout of a class at byte {at} makes no sense")]
    Layout {
        /// Where it was read.
        at: usize,
    },
    /// Neither the file nor the table has the fields of a class.
    #[error("the fields of class {0} are not known")]
    UnknownClass(ClassId),
    /// Its layout and its data do not belong together.
    #[error("the object at byte {at} is not as its layout says")]
    Object {
        /// Where the object is.
        at: usize,
    },
}

impl<'a> BinaryFile<'a> {
    /// Reads what the file says of its objects.
    pub fn open(bytes: &'a [u8]) -> Result<BinaryFile<'a>, BinaryError> {
        metadata::read(bytes, Header::read(bytes)?)
    }

    /// True when a file that starts like this is a binary file of Unity; 48 bytes are enough.
    pub fn is_binary(start: &[u8]) -> bool {
        Header::read(start).is_ok()
    }

    /// The version of Unity that wrote the file, as it says itself.
    pub fn unity_version(&self) -> &'a str {
        self.version_text
    }

    /// The version of the format, from 7 to 23.
    pub fn format(&self) -> u32 {
        self.format
    }

    /// True when the file brings the layouts of its classes along, as all that editors write do.
    pub fn has_layouts(&self) -> bool {
        self.types.iter().any(|of| of.nodes.is_some())
    }

    /// The other files that this one refers to.
    pub fn externals(&self) -> &[External] {
        &self.externals
    }

    /// The objects, in the order of the file.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = Object<'_>> {
        self.places.iter().map(|place| Object::new(self, place))
    }

    /// The object of this id.
    pub fn object(&self, file_id: FileId) -> Option<Object<'_>> {
        self.objects().find(|object| object.file_id() == file_id)
    }
}
