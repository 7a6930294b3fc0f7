//! Files on their way through a tool: read, changed, and written through the door.

use scenewright_contract::{ErrorKind, JsonMap, ToolError};
use scenewright_godot::{Document, Form, Problem, ResourceId, Scene, Unused, Variant};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::names;

use crate::base::live::LiveScene;
use crate::base::values::EngineOrder;
use crate::base::{Expected, Godot, InScene, Write, read_value, refused};

/// How many parts of a file that could not be read are told.
const MAX_TOLD: usize = 3;

/// A scene of the project, as it was read and as it is to be.
pub struct OpenScene {
    /// Where it is.
    pub path: ProjectPath,
    /// As it is to be.
    pub scene: Scene,
    before: Option<Scene>,
    /// The editor that has it open with changes that are not in its file.
    live: Option<LiveScene>,
}

/// A resource or settings file, as it was read and as it is to be.
pub struct OpenDocument {
    /// Where it is.
    pub path: ProjectPath,
    /// As it is to be.
    pub document: Document,
    before: Option<Document>,
}

impl Godot<'_> {
    /// Open a scene for reading or changing.
    pub fn open_scene(&self, input: &InScene) -> Result<OpenScene, ToolError> {
        self.open_scene_at(self.path(&input.scene_path)?)
    }

    /// The same by its path.
    pub fn open_scene_at(&self, path: ProjectPath) -> Result<OpenScene, ToolError> {
        if !path.as_str().ends_with(".tscn") && !path.as_str().ends_with(".escn") {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{path} is no text scene: .tscn is read and changed here"),
            )
            .hint("binary .scn files and imported models need the engine"));
        }
        let path = self.existing(path)?;
        let live = self.live_scene(&path)?;
        let bytes = match &live {
            Some(live) => live.text().as_bytes().to_vec(),
            None => self.read(&path)?,
        };
        let scene = self.recent().scene(bytes.into());
        self.tell_unread(&path, &scene);
        Ok(OpenScene { path, before: Some(scene.clone()), scene, live })
    }

    /// Open any text file of Godot's for reading or changing.
    pub fn open_document(&self, path: ProjectPath) -> Result<OpenDocument, ToolError> {
        let form = form_of(&path)?;
        let path = self.existing(path)?;
        let document = Document::parse(self.read(&path)?, form);
        self.tell_unread(&path, &document);
        Ok(OpenDocument { path, before: Some(document.clone()), document })
    }

    /// The path of a file that is there: this one, or the one that can only be meant, where nothing
    /// is written.
    pub fn existing(&self, path: ProjectPath) -> Result<ProjectPath, ToolError> {
        if self.exists(&path) {
            return Ok(path);
        }
        let known = || self.index.files().map(|file| file.path.as_str());
        let meant = match names::same_file(path.as_str(), known()).as_slice() {
            [only] => names::read_instead(self.cx, "file", path.as_str(), only),
            _ => names::guess(self.cx, "file", path.as_str(), known()),
        };
        match meant {
            Some(meant) => ProjectPath::parse(self.project, meant),
            None => Err(self.no_file(&path)),
        }
    }

    /// There is no such file; what may be meant.
    pub fn no_file(&self, path: &ProjectPath) -> ToolError {
        let known = self.index.files().map(|file| file.path.as_str());
        let hint = names::file_hint(path.as_str(), known, "project_listFiles shows what is there");
        ToolError::not_found("file", path.as_str()).hint(hint)
    }

    /// The same for a script.
    pub fn no_script(&self, path: &ProjectPath) -> ToolError {
        let known = self.index.files().map(|file| file.path.as_str());
        let otherwise = "list_scripts shows the scripts; write_script makes one";
        let hint = names::file_hint(path.as_str(), known, otherwise);
        ToolError::not_found("script", path.as_str()).hint(hint)
    }

    /// Says in the answer which part of a file is not in it.
    fn tell_unread(&self, path: &ProjectPath, document: &Document) {
        let unread = document.problems().iter().filter(|problem| problem.is_unread());
        for problem in unread.take(MAX_TOLD) {
            let Problem { line, message, .. } = problem;
            self.cx.diagnose(format!("{path}, line {line} is not in this answer: {message}"));
        }
    }

    /// The values that a caller gives for properties of a node or resource, checked against what it
    /// is. Resources that they need are added to the document.
    pub fn values<'a>(
        &self,
        document: &mut Document,
        of: Expected<'_>,
        properties: &'a JsonMap,
    ) -> Result<Vec<(&'a str, Variant)>, ToolError> {
        let read = |(key, value): (&'a String, _)| {
            Ok((key.as_str(), read_value(self, document, of, key, value)?))
        };
        let mut values = properties.iter().map(read).collect::<Result<Vec<_>, ToolError>>()?;
        let order = EngineOrder::of(self, of);
        values.sort_by_key(|(key, _)| order.rank(key));
        Ok(values)
    }

    /// A file to be made; there is none yet.
    pub fn new_document(&self, path: ProjectPath, text: String) -> Result<OpenDocument, ToolError> {
        let form = form_of(&path)?;
        self.must_be_new(&path)?;
        Ok(OpenDocument { path, document: Document::parse(text, form), before: None })
    }

    /// A resource file of a class: the one that is there, or an empty one to be made.
    pub fn resource_file(&self, path: ProjectPath, class: &str) -> Result<OpenDocument, ToolError> {
        if !self.exists(&path) {
            return self.new_document(path, empty_resource(class));
        }
        let file = self.open_document(path)?;
        match file.document.resource_class() {
            Some(found) if found == class => Ok(file),
            found => Err(ToolError::new(
                ErrorKind::BadArguments,
                format!(
                    "{} holds {}, no {class}",
                    file.path,
                    found.as_deref().unwrap_or("nothing")
                ),
            )
            .hint("nothing was changed; choose another path")),
        }
    }

    /// A scene to be made; there is none yet.
    pub fn new_scene(&self, path: ProjectPath, scene: Scene) -> Result<OpenScene, ToolError> {
        self.must_be_new(&path)?;
        Ok(OpenScene { path, scene, before: None, live: None })
    }

    /// Fail when there is such a file.
    pub fn must_be_new(&self, path: &ProjectPath) -> Result<(), ToolError> {
        if !self.exists(path) {
            return Ok(());
        }
        Err(ToolError::new(ErrorKind::BadArguments, format!("{path} exists already"))
            .hint("nothing was changed; choose another name, or change the file that is there"))
    }

    /// Name a file of the project in a document, so that a property can be it. The class is told
    /// from the file; `fits` is what the property takes.
    pub fn reference(
        &self,
        document: &mut Document,
        text: &str,
        fits: &str,
    ) -> Result<ResourceId, ToolError> {
        let path = self.path(text)?;
        if !self.exists(&path) {
            return Err(self.no_file(&path));
        }
        let class = self.resource_class(&path).unwrap_or_else(|| fits.to_owned());
        let classes = self.classes();
        // A script's own class is not in the table and is let through.
        if classes.class(&class).is_some()
            && classes.class(fits).is_some()
            && !classes.inherits(&class, fits)
        {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{path} is a {class}, and a {fits} is needed"),
            ));
        }
        let uid = self.uid_of(&path);
        document.add_ext_resource(&class, &format!("res://{path}"), uid.as_deref()).map_err(refused)
    }

    /// The uid of a file, also of one that waits in a batch.
    pub fn uid_of(&self, path: &ProjectPath) -> Option<String> {
        if let Some(bytes) = self.staged(path) {
            let form = Form::of_path(std::path::Path::new(path.as_str()))?;
            return Document::parse(bytes, form).uid().map(|uid| uid.into_owned());
        }
        self.index.uid_of(path.as_str()).map(str::to_owned)
    }

    /// The engine's class of a resource file, as far as the file tells.
    pub fn resource_class(&self, path: &ProjectPath) -> Option<String> {
        let extension = path.as_str().rsplit('.').next()?.to_ascii_lowercase();
        let class = match extension.as_str() {
            "tscn" | "scn" | "escn" | "glb" | "gltf" | "fbx" | "blend" | "dae" => "PackedScene",
            "gd" => "Script",
            "cs" => "Script",
            "gdshader" => "Shader",
            "gdshaderinc" => "ShaderInclude",
            "png" | "jpg" | "jpeg" | "webp" | "svg" | "bmp" | "tga" | "hdr" | "exr" | "ktx"
            | "dds" => "Texture2D",
            "wav" => "AudioStreamWAV",
            "ogg" => "AudioStreamOggVorbis",
            "mp3" => "AudioStreamMP3",
            "ttf" | "otf" | "woff" | "woff2" => "FontFile",
            // For scenes and scripts the index tells the class of their nodes.
            "tres" => {
                let known = self.index.by_path(path.as_str()).and_then(|file| file.class.clone());
                if known.is_some() {
                    return known;
                }
                let bytes = self.read(path).ok()?;
                return Document::parse(bytes, Form::Resource)
                    .resource_class()
                    .map(|class| class.into_owned());
            }
            _ => return None,
        };
        Some(class.to_owned())
    }
}

/// The text of a resource with nothing but first values.
pub fn empty_resource(class: &str) -> String {
    format!("[gd_resource type=\"{class}\" format=3]\n\n[resource]\n")
}

fn form_of(path: &ProjectPath) -> Result<Form, ToolError> {
    Form::of_path(std::path::Path::new(path.as_str())).ok_or_else(|| {
        ToolError::new(ErrorKind::BadArguments, format!("{path} is no text file of Godot's"))
            .hint("this works on .tscn, .tres, .cfg, .import, .gdextension and project.godot")
    })
}

impl OpenScene {
    /// Remove the resources that nothing uses any more, as the editor does when it saves.
    pub fn tidy(&mut self) -> Result<(), ToolError> {
        let mut unused = self.scene.unused_resources();
        // What nothing used when the scene was read is somebody's, and stays.
        let theirs = self.before.as_ref().map(|before| before.unused_resources());
        if let Some(Unused { ext, sub }) = theirs {
            unused.ext.retain(|id| !ext.contains(id));
            unused.sub.retain(|id| !sub.contains(id));
        }
        self.scene.change(|document| document.remove_resources(&unused)).map_err(refused)
    }

    /// Whether it is to be other than it was read.
    pub fn is_changed(&self) -> bool {
        self.before.as_ref().map(|before| before.as_bytes()) != Some(self.scene.as_bytes())
    }

    /// Write the scene, if it changed, through the door.
    pub fn save(&self, godot: &Godot<'_>, write: Write) -> Result<Written, ToolError> {
        // What it is to be has been read already; whoever looks at it next need not do so again.
        godot.recent().keep(&self.scene);
        let mut plan = Plan::new(godot.project);
        self.add_to(&mut plan);
        if let Some(live) = self.live.as_ref().filter(|_| self.is_changed()) {
            let mut told = plan.told(godot.cx)?;
            told.dry_run = write.dry_run;
            live.apply(godot, self.scene.as_bytes(), write)?;
            return Ok(told);
        }
        saved(godot, plan, write)
    }

    /// Write the scene and the others that change with it. One that an editor has open and not saved
    /// is changed there only alone: what is in two places is no one step of its history.
    pub fn save_with(
        &self,
        godot: &Godot<'_>,
        others: &[OpenScene],
        write: Write,
    ) -> Result<Written, ToolError> {
        if !others.iter().any(OpenScene::is_changed) {
            return self.save(godot, write);
        }
        let mut plan = Plan::new(godot.project);
        self.add_to(&mut plan);
        others.iter().filter(|other| other.is_changed()).for_each(|other| other.add_to(&mut plan));
        saved(godot, plan, write)
    }

    /// Make its change part of a plan.
    pub fn add_to<'a>(&'a self, plan: &mut Plan<'a>) {
        let before = self.before.as_ref().map(|before| before.as_bytes());
        plan.write(&self.path, before, self.scene.as_bytes());
    }
}

impl OpenDocument {
    /// Write the file, if it changed, through the door.
    pub fn save(&self, godot: &Godot<'_>, write: Write) -> Result<Written, ToolError> {
        let mut plan = Plan::new(godot.project);
        self.add_to(&mut plan);
        saved(godot, plan, write)
    }

    /// Make its change part of a plan.
    pub fn add_to<'a>(&'a self, plan: &mut Plan<'a>) {
        let before = self.before.as_ref().map(Document::as_bytes);
        plan.write(&self.path, before, self.document.as_bytes());
    }
}

/// Commit a plan; what is written can be read again, and a scene still has its nodes.
pub fn saved(godot: &Godot<'_>, plan: Plan<'_>, write: Write) -> Result<Written, ToolError> {
    plan.commit(godot.cx, write.dry_run, |path, bytes| check(godot, path, bytes))
}

fn check(godot: &Godot<'_>, path: &ProjectPath, bytes: &[u8]) -> Result<(), String> {
    let Some(form) = Form::of_path(std::path::Path::new(path.as_str())) else { return Ok(()) };
    let document = match form {
        Form::Resource => godot.recent().scene(bytes.into()).into_document(),
        Form::Config => Document::parse(bytes, form),
    };
    match document.problems().iter().find(|problem| problem.is_unread()) {
        Some(problem) => {
            Err(format!("line {}, column {}: {}", problem.line, problem.column, problem.message))
        }
        None => Ok(()),
    }
}
