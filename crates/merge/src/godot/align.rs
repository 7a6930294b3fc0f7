//! Resources of three versions told to be the same although their ids differ: Godot numbers them anew
//! when it saves. All versions get one id for one resource before anything is compared.

use std::collections::{HashMap, HashSet};

use scenewright_godot::{Document, MentionKind, Section};
use scenewright_text::Edits;

use super::derive::derive;
use super::{key_of, node_path};
use crate::report::Note;

/// A resource of one version.
struct Resource {
    id: String,
    class: String,
    /// External ones: where it is.
    path: String,
    uid: String,
    /// Inner ones: who uses it first.
    user: String,
    /// Inner ones: what is in it.
    text: String,
}

/// What stands for what: for each id of a version the id that all get.
type Ids = HashMap<String, String>;

/// Resources that use others are the same only once those are.
const ROUNDS: usize = 8;

/// The three versions with one id for each resource.
pub(crate) fn align(versions: [Document; 3]) -> ([Document; 3], Vec<Note>) {
    let mut notes = Vec::new();
    let external = assign(versions.each_ref().map(externals), same_external, &mut notes, "ext");
    let versions = rewrite(versions, MentionKind::ExtResource, "ext_resource", &external);
    let is_numbered = versions[1].format().is_some_and(|format| format < 3);
    let same = if is_numbered { same_numbered } else { same_named };
    let mut versions = versions;
    for _ in 0..ROUNDS {
        let inner = assign(versions.each_ref().map(inners), same, &mut notes, "sub");
        let is_done = inner.iter().all(is_settled);
        versions = rewrite(versions, MentionKind::SubResource, "sub_resource", &inner);
        if is_done {
            break;
        }
    }
    (versions, notes)
}

fn externals(document: &Document) -> Vec<Resource> {
    let of = |section: Section<'_>| {
        let text = |key: &str| section.attribute_text(key).unwrap_or_default().into_owned();
        Resource {
            id: text("id"),
            class: text("type"),
            path: text("path"),
            uid: text("uid"),
            user: String::new(),
            text: String::new(),
        }
    };
    document.sections().filter(|section| section.name() == "ext_resource").map(of).collect()
}

fn inners(document: &Document) -> Vec<Resource> {
    if !document.sections().any(|section| section.name() == "sub_resource") {
        return Vec::new();
    }
    let users = users(document);
    let bytes = document.as_bytes();
    let of = |section: Section<'_>| {
        let text = |key: &str| section.attribute_text(key).unwrap_or_default().into_owned();
        let id = text("id");
        let body = &bytes[section.tag_span().end..section.span().end];
        Resource {
            class: text("type"),
            path: String::new(),
            uid: String::new(),
            user: users.get(&id).cloned().unwrap_or_default(),
            text: String::from_utf8_lossy(body).into_owned(),
            id,
        }
    };
    document.sections().filter(|section| section.name() == "sub_resource").map(of).collect()
}

/// Who uses an inner resource first: a node and its property, or another resource by who uses that.
fn users(document: &Document) -> HashMap<String, String> {
    let mut users: HashMap<String, String> = HashMap::new();
    // Resources stand before those that use them, so that from the end each user is known.
    let sections: Vec<Section<'_>> = document.sections().collect();
    for section in sections.into_iter().rev() {
        let owner = match &*section.name() {
            "node" => format!("node {}", node_path(section)),
            "sub_resource" => {
                let id = section.attribute_text("id").unwrap_or_default();
                let class = section.attribute_text("type").unwrap_or_default();
                format!("{class}@{}", users.get(&*id).map_or("", String::as_str))
            }
            _ => key_of(document.form(), section),
        };
        if owner.len() > 4096 {
            continue;
        }
        for field in section.properties() {
            let mentions = document.mentions_in(field.value().span());
            let inner = mentions.filter(|mention| mention.kind == MentionKind::SubResource);
            for (place, mention) in inner.enumerate() {
                let user = format!("{owner}:{}[{place}]", field.key());
                users.insert(mention.text.into_owned(), user);
            }
        }
    }
    users
}

/// How sure it is that two resources are one; nothing when they are not. Lower is surer.
type Same = fn(&Resource, &Resource, Others<'_>) -> Option<u8>;

/// What else the two versions have.
#[derive(Clone, Copy)]
struct Others<'a> {
    /// The paths of the first and of the second version.
    paths: (&'a HashSet<String>, &'a HashSet<String>),
    /// Both were added: neither is in base.
    both_new: bool,
}

fn same_external(a: &Resource, b: &Resource, others: Others<'_>) -> Option<u8> {
    let moved = !others.paths.1.contains(&a.path) && !others.paths.0.contains(&b.path);
    match () {
        () if a.class != b.class => None,
        () if a.path == b.path && a.id == b.id => Some(0),
        () if a.path == b.path => Some(1),
        () if moved && !a.uid.is_empty() && a.uid == b.uid => Some(2),
        () if moved && a.id == b.id && !others.both_new => Some(3),
        () => None,
    }
}

fn same_named(a: &Resource, b: &Resource, others: Others<'_>) -> Option<u8> {
    let same_user = !a.user.is_empty() && a.user == b.user;
    match () {
        () if a.class != b.class => None,
        () if a.id == b.id && (!others.both_new || a.text == b.text) => Some(0),
        // Ids are kept by those who save, so that another one is another resource; but both may have
        // added, or replaced, the same.
        () if same_user && others.both_new && a.text == b.text => Some(1),
        () => None,
    }
}

/// Numbers mean nothing: what uses it tells which one it is.
fn same_numbered(a: &Resource, b: &Resource, others: Others<'_>) -> Option<u8> {
    let same_user = !a.user.is_empty() && a.user == b.user;
    let same_text = a.text == b.text;
    match () {
        () if a.class != b.class => None,
        () if same_user && same_text => Some(0),
        () if same_user && !others.both_new => Some(1),
        () if !others.both_new && same_text && a.id == b.id => Some(2),
        () => None,
    }
}

/// One id for what is the same in several versions: that of ours, then that of theirs.
fn assign(all: [Vec<Resource>; 3], same: Same, notes: &mut Vec<Note>, kind: &str) -> [Ids; 3] {
    let [base, ours, theirs] = &all;
    let paths = all.each_ref().map(|version| {
        version.iter().map(|resource| resource.path.clone()).collect::<HashSet<String>>()
    });
    let of_base = |side: usize, version: &[Resource]| {
        pair(base, version, same, Others { paths: (&paths[0], &paths[side]), both_new: false })
    };
    let (in_ours, in_theirs) = (of_base(1, ours), of_base(2, theirs));
    // What both added.
    let fresh = |version: &[Resource], known: &[Option<usize>]| -> Vec<usize> {
        let known: HashSet<usize> = known.iter().flatten().copied().collect();
        (0..version.len()).filter(|index| !known.contains(index)).collect()
    };
    let (new_ours, new_theirs) = (fresh(ours, &in_ours), fresh(theirs, &in_theirs));
    let others = Others { paths: (&paths[1], &paths[2]), both_new: true };
    let mut twin: HashMap<usize, usize> = HashMap::new();
    let mut taken = HashSet::new();
    for level in 0..=3 {
        for &a in &new_ours {
            if twin.contains_key(&a) {
                continue;
            }
            let found = new_theirs
                .iter()
                .copied()
                .find(|b| !taken.contains(b) && same(&ours[a], &theirs[*b], others) == Some(level));
            if let Some(b) = found {
                twin.insert(a, b);
                taken.insert(b);
            }
        }
    }
    let mut ids: [Ids; 3] = Default::default();
    let mut used: HashSet<String> = ours.iter().map(|resource| resource.id.clone()).collect();
    ids[1].extend(ours.iter().map(|resource| (resource.id.clone(), resource.id.clone())));
    let mut theirs_to_ours: HashMap<usize, usize> = twin.iter().map(|(a, b)| (*b, *a)).collect();
    let mut theirs_to_base: HashMap<usize, usize> = HashMap::new();
    for index in 0..base.len() {
        if let Some(in_theirs) = in_theirs[index] {
            theirs_to_base.insert(in_theirs, index);
            theirs_to_ours.extend(in_ours[index].map(|in_ours| (in_theirs, in_ours)));
        }
        if let Some(in_ours) = in_ours[index] {
            ids[0].insert(base[index].id.clone(), ours[in_ours].id.clone());
        }
    }
    for (index, resource) in theirs.iter().enumerate() {
        let id = match theirs_to_ours.get(&index) {
            Some(in_ours) => ours[*in_ours].id.clone(),
            None => {
                let id = free_id(&resource.id, &mut used);
                if id != resource.id {
                    notes.push(Note {
                        object: format!("{kind} {id}"),
                        field: String::new(),
                        text: format!(
                            "theirs has it as {}, which ours uses for another",
                            resource.id
                        ),
                        is_warning: false,
                    });
                }
                id
            }
        };
        if let Some(in_base) = theirs_to_base.get(&index) {
            ids[0].entry(base[*in_base].id.clone()).or_insert_with(|| id.clone());
        }
        ids[2].insert(resource.id.clone(), id);
    }
    for resource in base {
        if !ids[0].contains_key(&resource.id) {
            let id = free_id(&resource.id, &mut used);
            ids[0].insert(resource.id.clone(), id);
        }
    }
    ids
}

/// For each resource of the first version its place in the second; the surest pairs first.
fn pair(a: &[Resource], b: &[Resource], same: Same, others: Others<'_>) -> Vec<Option<usize>> {
    let mut found = vec![None; a.len()];
    let mut taken = vec![false; b.len()];
    for level in 0..=3 {
        for (index, one) in a.iter().enumerate() {
            if found[index].is_some() {
                continue;
            }
            let other = (0..b.len())
                .find(|other| !taken[*other] && same(one, &b[*other], others) == Some(level));
            if let Some(other) = other {
                found[index] = Some(other);
                taken[other] = true;
            }
        }
    }
    found
}

/// The id itself, or one like it that nobody has.
fn free_id(id: &str, used: &mut HashSet<String>) -> String {
    let mut free = id.to_owned();
    match id.parse::<u64>() {
        Ok(_) if used.contains(id) => {
            let highest = used.iter().filter_map(|id| id.parse::<u64>().ok()).max();
            free = (highest.unwrap_or_default() + 1).to_string();
        }
        Ok(_) => {}
        Err(_) => {
            let mut count = 2;
            while used.contains(&free) {
                free = format!("{id}_{count}");
                count += 1;
            }
        }
    }
    used.insert(free.clone());
    free
}

fn is_settled(ids: &Ids) -> bool {
    ids.iter().all(|(from, to)| from == to)
}

fn rewrite(
    versions: [Document; 3],
    kind: MentionKind,
    section: &str,
    ids: &[Ids; 3],
) -> [Document; 3] {
    let mut side = 0;
    versions.map(|document| {
        let ids = &ids[side];
        side += 1;
        if is_settled(ids) {
            return document;
        }
        let mut edits = Edits::default();
        let bytes = document.as_bytes();
        let mut replace = |span: std::ops::Range<usize>, from: &str| {
            let Some(to) = ids.get(from).filter(|to| *to != from) else { return };
            let is_quoted = bytes[span.clone()].starts_with(b"\"");
            edits.replace(span, if is_quoted { format!("\"{to}\"") } else { to.clone() });
        };
        for mention in document.mentions().filter(|mention| mention.kind == kind) {
            replace(mention.span.clone(), &mention.text);
        }
        for section in document.sections().filter(|found| found.name() == section) {
            if let Some(id) = section.attribute("id") {
                replace(id.span(), &id.as_text().unwrap_or_default());
            }
        }
        let text = edits.apply(bytes).unwrap_or_else(|_| bytes.to_vec());
        derive(&document, text)
    })
}
