//! UXML and USS files as tools read them.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::door::{self, ProjectPath};
use scenewright_unity::uss::Uss;
use scenewright_unity::uxml::{Malformed, Uxml};

use super::Unity;

/// The id that Unity gives every style sheet.
const SHEET_ID: i64 = 7_433_441_132_597_879_392;

impl Unity<'_> {
    /// The document or style sheet that a call names, and its text.
    pub fn read_document(
        &self,
        text: &str,
        endings: &[&str],
    ) -> Result<(ProjectPath, String), ToolError> {
        let lower = text.to_ascii_lowercase();
        if !endings.iter().any(|ending| lower.ends_with(ending)) {
            let message = format!("must be a file that ends with {}", endings.join(" or "));
            return Err(ToolError::bad_argument("document", &message));
        }
        let asset = self.asset(Some(text), None).map_err(|error| {
            let message = format!("Document not found: {}", error.message);
            ToolError { message, ..error }
        })?;
        let path = ProjectPath::parse(self.project, &asset.path())?;
        let bytes = door::read(self.cx, self.project, &path)?;
        let text = String::from_utf8(bytes).map_err(|_| {
            ToolError::new(ErrorKind::EngineError, format!("{path} is no text in UTF-8"))
        })?;
        Ok((path, text))
    }

    /// How a document refers to a style sheet.
    pub fn style_source(&self, text: &str) -> Result<String, ToolError> {
        let asset = self.asset(Some(text), None)?;
        let (path, guid) = (asset.path(), asset.guid());
        let is_sheet = path.ends_with(".uss") || path.ends_with(".tss");
        let Some(guid) = guid.filter(|_| is_sheet) else {
            let message = format!("{path} is no style sheet of the project");
            return Err(ToolError::new(ErrorKind::BadArguments, message)
                .hint("style sheets are .uss files with a .meta"));
        };
        let name = super::assets::stem(&path);
        let plain = path.replace(' ', "%20");
        Ok(format!("project://database/{plain}?fileID={SHEET_ID}&guid={guid}&type=3#{name}"))
    }
}

/// Why a text that is about to be written could not be read.
pub fn problem(path: &ProjectPath, bytes: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let found = match path.as_str().to_ascii_lowercase().rsplit_once('.') {
        Some((_, "uxml")) => Uxml::parse(text).map(drop),
        Some((_, "uss" | "tss")) => Uss::parse(text).map(drop),
        _ => Ok(()),
    };
    found.map_err(|error| error.to_string())
}

/// A file that is not well-formed, for a caller.
pub fn malformed(path: &ProjectPath, why: &Malformed) -> ToolError {
    ToolError::new(ErrorKind::EngineError, format!("{path} cannot be read: {why}"))
        .hint("nothing was changed; project_editText can put it right")
        .detail("path", path.as_str())
        .detail("line", why.line)
}
