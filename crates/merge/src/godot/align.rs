//! Resources of three versions told to be the same although their ids differ: Godot numbers them anew
//! when it saves. All versions get one id for one resource before anything is compared.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use scenewright_godot::{Document, MentionKind, Section};
use scenewright_text::Edits;

use super::derive::derive;
use super::{key_of, node_path};
use crate::report::Note;

/// A resource of one version.
struct Resource<'d> {
    id: Cow<'d, str>,
    class: Cow<'d, str>,
    /// External ones: where it is.
    path: Cow<'d, str>,
    uid: Cow<'d, str>,
    /// Inner ones: who uses it first, where that was looked for.
    user: String,
    /// Inner ones: what is in it.
    text: &'d [u8],
}

/// What stands for what: for each id of a version the id that all get.
type Ids = HashMap<String, String>;

/// Resources that use others are the same only once those are.
const ROUNDS: usize = 8;

/// The three versions with one id for each resource.
pub(crate) fn align(versions: [Document; 3]) -> ([Document; 3], Vec<Note>) {
    let mut notes = Vec::new();
    let external = match has_same(&versions, "ext_resource", &["type", "path", "uid", "id"]) {
        true => Default::default(),
        false => assign(versions.each_ref().map(externals), Same::External, &mut notes, "ext"),
    };
    let versions = rewrite(versions, MentionKind::ExtResource, "ext_resource", &external);
    let is_numbered = versions[1].format().is_some_and(|format| format < 3);
    let same = if is_numbered { Same::Numbered } else { Same::Named };
    if !is_numbered && has_same(&versions, "sub_resource", &["type", "id"]) {
        return (versions, notes);
    }
    let mut versions = versions;
    // What uses it tells which one it is only where its name does not.
    let [base, ours, theirs] = &versions;
    let by_user = is_numbered || adds_inner(base, ours) && adds_inner(base, theirs);
    for _ in 0..ROUNDS {
        let all = versions.each_ref().map(|version| inners(version, by_user));
        let inner = assign(all, same, &mut notes, "sub");
        let is_done = inner.iter().all(is_settled);
        versions = rewrite(versions, MentionKind::SubResource, "sub_resource", &inner);
        if is_done {
            break;
        }
    }
    (versions, notes)
}

/// Whether all versions have the same resources in the same order, as far as these attributes tell: then
/// they have one id for each already.
fn has_same([base, ours, theirs]: &[Document; 3], section: &str, attributes: &[&str]) -> bool {
    fn told<'d>(
        document: &'d Document,
        section: &str,
        attributes: &[&str],
    ) -> impl Iterator<Item = Option<Cow<'d, str>>> {
        let sections = document.sections().filter(move |found| found.is_named(section));
        sections.flat_map(move |section| {
            attributes.iter().map(move |attribute| section.attribute_text(attribute))
        })
    }
    let same = |side| told(base, section, attributes).eq(told(side, section, attributes));
    same(ours) && same(theirs)
}

fn externals(document: &Document) -> Vec<Resource<'_>> {
    fn of(section: Section<'_>) -> Resource<'_> {
        Resource {
            path: section.attribute_text("path").unwrap_or_default(),
            uid: section.attribute_text("uid").unwrap_or_default(),
            ..resource(section)
        }
    }
    document.sections().filter(|section| section.is_named("ext_resource")).map(of).collect()
}

fn inners(document: &Document, by_user: bool) -> Vec<Resource<'_>> {
    let users = if by_user { users(document) } else { HashMap::new() };
    let of = |section| {
        let resource = resource(section);
        let user = users.get(&*resource.id).cloned().unwrap_or_default();
        let text = &document.as_bytes()[section.tag_span().end..section.span().end];
        Resource { user, text, ..resource }
    };
    inner_sections(document).map(of).collect()
}

fn inner_sections(document: &Document) -> impl Iterator<Item = Section<'_>> {
    document.sections().filter(|section| section.is_named("sub_resource"))
}

/// Whether a version has inner resources that base has not, by their names.
fn adds_inner(base: &Document, side: &Document) -> bool {
    let name = |section| {
        let Resource { class, id, .. } = resource(section);
        (class, id)
    };
    let known: HashSet<_> = inner_sections(base).map(name).collect();
    inner_sections(side).map(name).any(|name| !known.contains(&name))
}

fn resource(section: Section<'_>) -> Resource<'_> {
    Resource {
        id: section.attribute_text("id").unwrap_or_default(),
        class: section.attribute_text("type").unwrap_or_default(),
        path: Cow::default(),
        uid: Cow::default(),
        user: String::new(),
        text: &[],
    }
}

/// Who uses an inner resource first: a node and its property, or another resource by who uses that.
fn users(document: &Document) -> HashMap<String, String> {
    let mut users: HashMap<String, String> = HashMap::new();
    // Resources stand before those that use them, so that from the end each user is known.
    let sections: Vec<Section<'_>> = document.sections().collect();
    for section in sections.into_iter().rev() {
        if !section.mentions().any(|mention| mention.kind == MentionKind::SubResource) {
            continue;
        }
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

/// What tells that two resources are one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Same {
    /// External ones: their path, then what they are where that changed.
    External,
    /// Ids are kept by those who save, so that another one is another resource; but both may have added,
    /// or replaced, the same.
    Named,
    /// Numbers mean nothing: what uses it tells which one it is.
    Numbered,
}

/// So many ways there are to tell that two are one, the surest first.
const LEVELS: u8 = 4;

/// What two resources have in common that are one at a level: one of these is all of it.
type Mark<'r> = (&'r str, &'r str, &'r str, &'r [u8]);

impl Same {
    /// The mark of a resource at a level; nothing when it has none. `gone` tells whether the other version
    /// does not have a path, `both_new` that neither is in base.
    fn mark<'r>(
        self,
        of: &'r Resource<'_>,
        level: u8,
        gone: impl Fn(&str) -> bool,
        both_new: bool,
    ) -> Option<Mark<'r>> {
        let Resource { id, class, path, uid, user, text } = of;
        let has_user = !user.is_empty();
        match (self, level) {
            (Same::External, 0) => Some((class, path, id, b"")),
            (Same::External, 1) => Some((class, path, "", b"")),
            (Same::External, 2) if !uid.is_empty() && gone(path) => Some((class, uid, "", b"")),
            (Same::External, 3) if !both_new && gone(path) => Some((class, id, "", b"")),
            (Same::Named, 0) if both_new => Some((class, id, "", text)),
            (Same::Named, 0) => Some((class, id, "", b"")),
            (Same::Named, 1) if both_new && has_user => Some((class, user, "", text)),
            (Same::Numbered, 0) if has_user => Some((class, user, "", text)),
            (Same::Numbered, 1) if has_user && !both_new => Some((class, user, "", b"")),
            (Same::Numbered, 2) if !both_new => Some((class, id, "", text)),
            _ => None,
        }
    }
}

/// One id for what is the same in several versions: that of ours, then that of theirs.
fn assign(all: [Vec<Resource<'_>>; 3], same: Same, notes: &mut Vec<Note>, kind: &str) -> [Ids; 3] {
    let [base, ours, theirs] = &all;
    let every = |version: &[Resource<'_>]| -> Vec<usize> { (0..version.len()).collect() };
    let of_base = |version: &[Resource<'_>]| {
        let found = pair((base, &every(base)), (version, &every(version)), same, false);
        let mut in_version = vec![None; base.len()];
        found.into_iter().for_each(|(one, other)| in_version[one] = Some(other));
        in_version
    };
    let (in_ours, in_theirs) = (of_base(ours), of_base(theirs));
    // What both added.
    let fresh = |version: &[Resource<'_>], known: &[Option<usize>]| -> Vec<usize> {
        let known: HashSet<usize> = known.iter().flatten().copied().collect();
        (0..version.len()).filter(|index| !known.contains(index)).collect()
    };
    let (new_ours, new_theirs) = (fresh(ours, &in_ours), fresh(theirs, &in_theirs));
    let twin = pair((ours, &new_ours), (theirs, &new_theirs), same, true);
    let mut ids: [Ids; 3] = Default::default();
    let own = |resource: &Resource<'_>| resource.id.to_string();
    let mut used: HashSet<String> = ours.iter().map(own).collect();
    ids[1].extend(ours.iter().map(|resource| (own(resource), own(resource))));
    let mut theirs_to_ours: HashMap<usize, usize> = twin.iter().map(|(a, b)| (*b, *a)).collect();
    let mut theirs_to_base: HashMap<usize, usize> = HashMap::new();
    for index in 0..base.len() {
        if let Some(in_theirs) = in_theirs[index] {
            theirs_to_base.insert(in_theirs, index);
            theirs_to_ours.extend(in_ours[index].map(|in_ours| (in_theirs, in_ours)));
        }
        if let Some(in_ours) = in_ours[index] {
            ids[0].insert(own(&base[index]), own(&ours[in_ours]));
        }
    }
    for (index, resource) in theirs.iter().enumerate() {
        let id = match theirs_to_ours.get(&index) {
            Some(in_ours) => own(&ours[*in_ours]),
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
            ids[0].entry(own(&base[*in_base])).or_insert_with(|| id.clone());
        }
        ids[2].insert(own(resource), id);
    }
    for resource in base {
        if !ids[0].contains_key(&*resource.id) {
            let id = free_id(&resource.id, &mut used);
            ids[0].insert(own(resource), id);
        }
    }
    ids
}

/// Some of the resources of a version, by their places.
type Chosen<'v> = (&'v [Resource<'v>], &'v [usize]);

/// The places of those that are one in two versions; the surest pairs first, and among equals in the order
/// of the file.
fn pair(a: Chosen<'_>, b: Chosen<'_>, same: Same, both_new: bool) -> HashMap<usize, usize> {
    let mut found = HashMap::new();
    if a.1.is_empty() || b.1.is_empty() {
        return found;
    }
    let paths = |version: &[Resource<'_>]| -> HashSet<String> {
        version.iter().map(|resource| resource.path.to_string()).collect()
    };
    let (in_a, in_b) = (paths(a.0), paths(b.0));
    let mut taken = HashSet::new();
    for level in 0..LEVELS {
        let mut marked: HashMap<Mark<'_>, VecDeque<usize>> = HashMap::new();
        for place in b.1.iter().filter(|place| !taken.contains(*place)) {
            let gone = |path: &str| !in_a.contains(path);
            if let Some(mark) = same.mark(&b.0[*place], level, gone, both_new) {
                marked.entry(mark).or_default().push_back(*place);
            }
        }
        for place in a.1 {
            if marked.is_empty() || found.contains_key(place) {
                continue;
            }
            let mark = same.mark(&a.0[*place], level, |path| !in_b.contains(path), both_new);
            let other = mark.and_then(|mark| marked.get_mut(&mark)?.pop_front());
            if let Some(other) = other {
                found.insert(*place, other);
                taken.insert(other);
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
        for section in document.sections().filter(|found| found.is_named(section)) {
            if let Some(id) = section.attribute("id") {
                replace(id.span(), &id.as_text().unwrap_or_default());
            }
        }
        let text = edits.apply(bytes).unwrap_or_else(|_| bytes.to_vec());
        derive(&document, &text)
    })
}
