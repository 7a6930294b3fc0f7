//! Edits made by the tools, and judged by the engine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::expect::{self, differences, new_complaints};
use super::ground::Ground;
use super::survey::{Answer, Visit, survey};
use super::wish::{Effect, Wish};
use crate::cases::Programs;
use crate::judge::Engine;
use crate::sandbox::{Sandbox, visit};
use crate::session::{Reply, Session};

/// So many files that need a changed one are looked at.
const MOST_USERS: usize = 24;
/// One engine makes so many visits; then a fresh one goes on.
const VISITS: usize = 150;

/// Where the engine keeps the names of classes.
const CLASSES: &str = ".godot/global_script_class_cache.cfg";

/// An edit that was tried.
pub(super) struct Trial {
    pub(super) wish: Wish,
    pub(super) reply: Result<Value, String>,
    /// The files that are others, from the root.
    changed: Vec<String>,
    /// Where they are kept.
    kept: PathBuf,
    /// What is wrong without asking the engine.
    wrong: Vec<String>,
}

/// What is to be said of it.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The engine agrees.
    Right,
    /// The engine agrees, but for what the answer names.
    Told(Vec<String>),
    FalseSuccess(Vec<String>),
    /// It was refused, and the engine would not have taken it either.
    Refused,
    /// It was refused, and nobody asked the engine.
    RefusedUnjudged,
    FalseAlarm,
    /// The engine ended, or could not be asked.
    Unjudged(String),
}

/// Let the tools make every edit, each from the project as it is.
pub(super) fn run(
    ground: &Ground,
    programs: &Programs,
    wishes: Vec<(usize, Wish)>,
) -> Result<Vec<(usize, Trial)>> {
    let mut session = Session::start(&programs.scenewright, &ground.copy, &programs.godot)?;
    let mut files = stamps(&ground.copy)?;
    let mut trials = Vec::new();
    for (step, wish) in wishes {
        let reply = session.call(wish.tool, &wish.arguments)?;
        let now = stamps(&ground.copy)?;
        let changed = changed(&files, &now);
        let kept = ground.copy.beside(&format!("edits/{step}"));
        let mut trial = Trial { wish, reply: Ok(Value::Null), changed, kept, wrong: vec![] };
        match reply {
            Reply::Refused(why) => {
                if !trial.changed.is_empty() {
                    trial.wrong.push(format!("it refuses and changes {:?}", trial.changed));
                }
                trial.reply = Err(why);
            }
            Reply::Done(output) => {
                keep(&ground.copy, &trial)?;
                trial.wrong.extend(untold(&output, &trial.changed));
                if !trial.changed.is_empty() {
                    let undone = session.call("project.undoLast", &json!({}))?;
                    if let Reply::Refused(why) = undone {
                        bail!("step {step}: {} cannot be undone: {why}", trial.wish.tool);
                    }
                }
                trial.reply = Ok(output);
            }
        }
        trial.wrong.extend(not_undone(ground, &trial.changed)?);
        files = stamps(&ground.copy)?;
        trials.push((step, trial));
    }
    session.end()?;
    Ok(trials)
}

/// An edit that no tool would make: the first node below a root has another name in the file, and
/// the answer says that nothing but a group changed. The judge has to notice.
pub(super) fn broken(ground: &Ground, scene: &str, node: &str) -> Result<Trial> {
    let local = scene.trim_start_matches("res://").to_owned();
    let text = fs::read_to_string(ground.pristine.root().join(&local))?;
    let kept = ground.copy.beside("edits/broken");
    let to = kept.join(&local);
    fs::create_dir_all(to.parent().context("it is below the folder")?)?;
    let (old, new) = (format!("[node name=\"{node}\""), "[node name=\"Broken\"");
    fs::write(to, text.replacen(&old, new, 1))?;
    let (scene, group) = (scene.to_owned(), "none".to_owned());
    let effect = Effect::Group { scene, node: node.to_owned(), group, is_in: false };
    let wish = Wish { tool: "(broken)", arguments: Value::Null, effect, is_plain: true };
    Ok(Trial { wish, reply: Ok(Value::Null), changed: vec![local], kept, wrong: vec![] })
}

/// When each file was changed, and how long it is.
type Stamps = BTreeMap<String, (SystemTime, u64)>;

fn stamps(copy: &Sandbox) -> Result<Stamps> {
    let mut found = Stamps::new();
    visit(&copy.root(), |path, local| {
        if !local.starts_with(".godot/") && !local.starts_with(".scenewright/") {
            let about = fs::metadata(path)?;
            found.insert(local.to_owned(), (about.modified()?, about.len()));
        }
        Ok(())
    })?;
    Ok(found)
}

fn changed(old: &Stamps, new: &Stamps) -> Vec<String> {
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    paths.into_iter().filter(|path| old.get(*path) != new.get(*path)).cloned().collect()
}

/// Changed files that the answer does not name.
fn untold(output: &Value, changed: &[String]) -> Option<String> {
    let list = output["changes"].as_array()?;
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for change in list {
        told.extend(["path", "from"].iter().filter_map(|key| change[*key].as_str()));
    }
    let found: Vec<&String> = changed.iter().filter(|path| !told.contains(path.as_str())).collect();
    (!found.is_empty() && list.len() < 200).then(|| format!("it does not tell of {found:?}"))
}

fn keep(copy: &Sandbox, trial: &Trial) -> Result<()> {
    fs::create_dir_all(&trial.kept)?;
    for path in &trial.changed {
        let from = copy.root().join(path);
        let to = trial.kept.join(path);
        fs::create_dir_all(to.parent().context("it is below the folder")?)?;
        if from.is_file() {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

fn not_undone(ground: &Ground, changed: &[String]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for path in changed {
        let read = |sandbox: &Sandbox| fs::read(sandbox.root().join(path)).ok();
        if read(&ground.copy) != read(&ground.pristine) {
            found.push(format!("{path} is not as before after the undo"));
            bail!("{path} is not as before after the undo");
        }
    }
    Ok(found)
}

/// What the engine says of each.
pub(super) fn judge(
    ground: &Ground,
    engine: &Engine,
    before: &Answer,
    trials: Vec<(usize, Trial)>,
) -> Result<Vec<(usize, Trial, Outcome)>> {
    let known = before.all_complaints();
    let visits: Vec<Visit> = trials
        .iter()
        .filter(|(_, trial)| !needs_start(ground, trial))
        .map(|(step, trial)| visit_of(ground, *step, trial))
        .collect();
    let mut answers = BTreeMap::new();
    for part in visits.chunks(VISITS) {
        answers.extend(survey(engine, &ground.copy, part)?);
    }
    let mut out = Vec::new();
    let stale = answers.values().filter(|answer| answer.stale).count();
    println!("  {} visits, {} answers, {stale} stale", visits.len(), answers.len());
    for (step, trial) in trials {
        let first = answers.get(&step).filter(|answer| !answer.stale);
        let mut outcome = first.map(|answer| outcome(&trial, before, &known, answer));
        let is_doubtful = matches!(
            outcome,
            None | Some(Outcome::FalseSuccess(_) | Outcome::FalseAlarm | Outcome::Told(_))
        );
        if is_doubtful {
            outcome = judge_first(ground, engine, before, step, &trial)?;
        }
        if !matches!(outcome, Some(Outcome::Right | Outcome::Refused | Outcome::RefusedUnjudged)) {
            outcome = Some(judge_alone(ground, engine, step, &trial)?);
        }
        out.push((step, trial, outcome.unwrap_or(Outcome::Unjudged("not asked".to_owned()))));
    }
    Ok(out)
}

/// Whether a running engine would not see it: it keeps settings and the names of classes.
fn needs_start(ground: &Ground, trial: &Trial) -> bool {
    let is_kept = |path: &String| path == "project.godot" || ground.names_class(path);
    trial.reply.is_ok() && trial.changed.iter().any(is_kept)
}

fn visit_of(ground: &Ground, step: usize, trial: &Trial) -> Visit {
    let mut visit = Visit {
        number: step,
        from: trial.kept.clone(),
        back: ground.pristine.root(),
        ..Visit::default()
    };
    if trial.reply.is_err() {
        visit.attempt = attempt(&trial.wish.effect);
        return visit;
    }
    visit.written = trial.changed.clone();
    visit.scenes = scenes_of(ground, trial, true);
    visit.want = wanted(&trial.wish.effect);
    if let Effect::FileMoved { from, to } = &trial.wish.effect {
        let uid = ground.uid(from);
        visit.uid = uid.map(|uid| [uid, format!("res://{to}"), format!("res://{from}")]);
    }
    visit
}

/// The scenes and resources to look at, as they are called after the edit or before.
fn scenes_of(ground: &Ground, trial: &Trial, is_after: bool) -> Vec<String> {
    let is_scene = |path: &&String| path.ends_with(".tscn") || path.ends_with(".tres");
    let mut files: BTreeSet<String> = trial.changed.iter().filter(is_scene).cloned().collect();
    let users = ground.users(&trial.changed).into_iter().filter(|path| !files.contains(path));
    let users: Vec<String> = users.take(MOST_USERS).collect();
    files.extend(users);
    if let Effect::FileMoved { from, to } = &trial.wish.effect {
        let (here, there) = if is_after { (to, from) } else { (from, to) };
        if files.remove(there) {
            files.insert(here.clone());
        }
    }
    files.into_iter().map(|path| format!("res://{path}")).collect()
}

/// The value that has to be there.
fn wanted(effect: &Effect) -> Option<Value> {
    match effect {
        Effect::Set { scene, node, key, given } => {
            Some(json!({ "scene": scene, "node": node, "key": key, "text": given.text }))
        }
        Effect::Added { scene, at, set: Some((key, given)), .. } => {
            Some(json!({ "scene": scene, "node": at, "key": key, "text": given.text }))
        }
        Effect::Resource { file, key, given } => {
            Some(json!({ "scene": file, "node": null, "key": key, "text": given.text }))
        }
        _ => None,
    }
}

/// How the engine can be asked about something that was refused.
fn attempt(effect: &Effect) -> Option<Value> {
    match effect {
        Effect::Set { scene, node, key, given } => Some(json!({
            "what": "set", "scene": scene, "node": node, "key": key, "text": given.text,
        })),
        Effect::Added { scene, class, set: Some((key, given)), .. } => Some(json!({
            "what": "set", "scene": scene, "node": ".", "class": class, "key": key, "text": given.text,
        })),
        Effect::Script { scene, node, script } if !script.is_empty() => Some(json!({
            "what": "script", "scene": scene, "node": node, "text": script,
        })),
        _ => None,
    }
}

/// What nobody can mean may be refused, whatever the engine makes of it.
fn is_senseless(effect: &Effect) -> bool {
    match effect {
        Effect::Set { given, .. } | Effect::Added { set: Some((_, given)), .. } => {
            given.is_senseless
        }
        _ => false,
    }
}

fn outcome(trial: &Trial, before: &Answer, known: &BTreeSet<String>, after: &Answer) -> Outcome {
    let complaints = new_complaints(&trial.wish.effect, known, after);
    let Ok(output) = &trial.reply else {
        return match after.taken {
            Some(true) if is_senseless(&trial.wish.effect) => Outcome::Refused,
            Some(true) if complaints.is_empty() => Outcome::FalseAlarm,
            Some(_) => Outcome::Refused,
            None if trial.wish.is_plain => Outcome::FalseAlarm,
            None => Outcome::RefusedUnjudged,
        };
    };
    let mut wrong = trial.wrong.clone();
    wrong.extend(complaints);
    wrong.extend(differences(&trial.wish.effect, &before.scenes, after));
    match wrong.is_empty() {
        true => Outcome::Right,
        false if expect::is_told(output) => Outcome::Told(wrong),
        false => Outcome::FalseSuccess(wrong),
    }
}

/// Ask an engine that has seen nothing else.
fn judge_first(
    ground: &Ground,
    engine: &Engine,
    before: &Answer,
    step: usize,
    trial: &Trial,
) -> Result<Option<Outcome>> {
    let mut visit = visit_of(ground, step, trial);
    let written = std::mem::take(&mut visit.written);
    place(&trial.kept, &ground.copy, &written)?;
    move_class(ground, &trial.wish.effect)?;
    let answer = survey(engine, &ground.copy, &[visit])?.remove(&step);
    place(&ground.pristine.root(), &ground.copy, &written)?;
    place(&ground.pristine.root(), &ground.copy, &[CLASSES.to_owned()])?;
    let known = before.all_complaints();
    Ok(answer.map(|answer| outcome(trial, before, &known, &answer)))
}

/// Tell the engine where a class is now, as its import would; an import of everything takes long.
fn move_class(ground: &Ground, effect: &Effect) -> Result<()> {
    let Effect::FileMoved { from, to } = effect else { return Ok(()) };
    let file = ground.copy.root().join(CLASSES);
    if let Ok(text) = fs::read_to_string(&file) {
        let (old, new) = (format!("\"res://{from}\""), format!("\"res://{to}\""));
        fs::write(file, text.replace(&old, &new))?;
    }
    Ok(())
}

/// Make files of a project as they are elsewhere, or let them go.
fn place(from: &Path, copy: &Sandbox, files: &[String]) -> Result<()> {
    for path in files {
        let (from, to) = (from.join(path), copy.root().join(path));
        let _ = fs::remove_file(&to);
        if from.is_file() {
            fs::create_dir_all(to.parent().context("it is below the folder")?)?;
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

/// Ask an engine that has seen nothing else, before the edit and after it, in a copy that it may import.
fn judge_alone(ground: &Ground, engine: &Engine, step: usize, trial: &Trial) -> Result<Outcome> {
    let folder = ground.copy.beside("alone");
    let _ = fs::remove_dir_all(&folder);
    let copy = ground.pristine.copy_to(&folder)?;
    let look = |scenes: Vec<String>, visit: Visit| -> Result<Option<Answer>> {
        let visit = Visit { number: 0, scenes, written: vec![], uid: None, ..visit };
        Ok(survey(engine, &copy, &[visit])?.remove(&0))
    };
    let mut scenes = scenes_of(ground, trial, false);
    // What the engine says of a scene that is put into another is nothing new.
    if let Effect::Instanced { instance, .. } = &trial.wish.effect {
        scenes.push(instance.clone());
    }
    let Some(before) = look(scenes, Visit::default())? else {
        return Ok(Outcome::Unjudged("the engine ends before the edit".to_owned()));
    };
    let known = before.all_complaints();
    if trial.reply.is_ok() {
        place(&trial.kept, &copy, &trial.changed)?;
        let is_moved = matches!(trial.wish.effect, Effect::FileMoved { .. });
        if is_moved || needs_start(ground, trial) {
            engine.import(&copy)?;
        }
    }
    let visit = visit_of(ground, step, trial);
    let scenes = if trial.reply.is_ok() { scenes_of(ground, trial, true) } else { vec![] };
    let Some(after) = look(scenes, visit)? else {
        return Ok(Outcome::FalseSuccess(vec!["the engine ends after the edit".to_owned()]));
    };
    let outcome = outcome(trial, &before, &known, &after);
    copy.remove();
    Ok(outcome)
}
