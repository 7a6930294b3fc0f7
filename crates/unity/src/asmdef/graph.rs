//! The assemblies of a project as one graph: who refers to whom, cycles, and references that lead
//! nowhere. Files are read elsewhere; here are only names, guids and folders.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Assembly, Extension, Link};
use crate::Guid;

/// The assemblies of a project and what they refer to.
#[derive(Debug, Default)]
pub struct Graph {
    assemblies: Vec<Assembly>,
    extensions: Vec<Extension>,
    by_name: HashMap<String, usize>,
    by_guid: HashMap<Guid, usize>,
    /// What each assembly refers to, once, without those that are not there.
    edges: Vec<Vec<usize>>,
}

/// Whether all assemblies that references may mean were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// All packages are on disk: what is not found does not exist.
    Complete,
    /// Some packages are not: what is not found may be in one of them.
    Partial,
}

/// What is wrong in a graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The names around each cycle, starting with the first in the alphabet.
    pub cycles: Vec<Vec<String>>,
    /// The names along the longest chain of references. A cycle counts as one assembly, by the
    /// name that is reached.
    pub longest: Vec<String>,
    /// Everything else, by kind and path.
    pub findings: Vec<Finding>,
}

/// One thing that is wrong, or cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Of what kind.
    pub kind: FindingKind,
    /// The file it is about.
    pub path: String,
    /// The file or assembly at the other end.
    pub about: String,
}

/// The kinds of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Two definitions of one name; `about` is the other file.
    DuplicateName,
    /// Two definitions in one folder; `about` is the other file.
    SharedFolder,
    /// A reference to nothing.
    DeadReference,
    /// An `.asmref` to nothing.
    DeadExtension,
    /// A runtime assembly refers to one of the editor, which builds do not have.
    EditorOnly,
    /// A reference to an assembly that may be in a package that is not on disk.
    Undecided,
}

impl Graph {
    /// Joins the definitions of a project.
    pub fn new(mut assemblies: Vec<Assembly>, mut extensions: Vec<Extension>) -> Graph {
        assemblies.sort_by(|a, b| a.path.cmp(&b.path));
        extensions.sort_by(|a, b| a.path.cmp(&b.path));
        let mut graph = Graph { extensions, ..Graph::default() };
        for (index, assembly) in assemblies.iter().enumerate() {
            graph.by_name.entry(assembly.name.clone()).or_insert(index);
            if let Some(guid) = assembly.guid {
                graph.by_guid.entry(guid).or_insert(index);
            }
        }
        graph.edges = assemblies
            .iter()
            .map(|assembly| {
                let targets = assembly.references.iter().filter_map(|link| graph.index(link));
                targets.collect::<BTreeSet<usize>>().into_iter().collect()
            })
            .collect();
        graph.assemblies = assemblies;
        graph
    }

    /// The definitions, by path.
    pub fn assemblies(&self) -> &[Assembly] {
        &self.assemblies
    }

    /// The definition that a reference means.
    pub fn find(&self, link: &Link) -> Option<&Assembly> {
        Some(&self.assemblies[self.index(link)?])
    }

    fn index(&self, link: &Link) -> Option<usize> {
        match link {
            Link::Name(name) => self.by_name.get(name).copied(),
            Link::Guid(guid) => self.by_guid.get(guid).copied(),
        }
    }

    /// Checks the files for which `is_asked` holds; the others are there to be referred to.
    pub fn check(&self, presence: Presence, is_asked: &dyn Fn(&str) -> bool) -> Report {
        let asked: Vec<bool> = self.assemblies.iter().map(|a| is_asked(&a.path)).collect();
        let (component, sizes) = self.components();
        let mut findings = self.duplicates(&asked);
        self.check_references(presence, &asked, &mut findings);
        for extension in self.extensions.iter().filter(|e| is_asked(&e.path)) {
            if self.index(&extension.target).is_none() {
                let kind = undecided(presence, FindingKind::DeadExtension);
                findings.push(finding(kind, &extension.path, extension.target.to_string()));
            }
        }
        findings.sort();
        findings.dedup();
        Report {
            cycles: self.cycles(&component, &sizes, &asked),
            longest: self.longest(&component, sizes.len(), &asked),
            findings,
        }
    }

    fn duplicates(&self, asked: &[bool]) -> Vec<Finding> {
        let mut names: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut folders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, assembly) in self.assemblies.iter().enumerate() {
            names.entry(&assembly.name).or_default().push(index);
            let folder = assembly.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            folders.entry(folder).or_default().push(index);
        }
        let names = names.values().map(|group| (FindingKind::DuplicateName, group));
        let folders = folders.values().map(|group| (FindingKind::SharedFolder, group));
        let mut findings = Vec::new();
        for (kind, group) in names.chain(folders) {
            for other in group.iter().skip(1).filter(|other| asked[group[0]] || asked[**other]) {
                let [first, other] = [group[0], *other].map(|i| &self.assemblies[i].path);
                findings.push(finding(kind, other, first.clone()));
            }
        }
        findings
    }

    fn check_references(&self, presence: Presence, asked: &[bool], findings: &mut Vec<Finding>) {
        for (assembly, _) in self.assemblies.iter().zip(asked).filter(|(_, asked)| **asked) {
            for link in &assembly.references {
                let kind = match self.find(link) {
                    None => undecided(presence, FindingKind::DeadReference),
                    Some(target)
                        if target.editor_only && !assembly.editor_only && !assembly.is_test =>
                    {
                        findings.push(finding(
                            FindingKind::EditorOnly,
                            &assembly.path,
                            target.name.clone(),
                        ));
                        continue;
                    }
                    Some(_) => continue,
                };
                findings.push(finding(kind, &assembly.path, link.to_string()));
            }
        }
    }

    /// The strongly connected component of each assembly, numbered so that references go to lower
    /// numbers, and how many assemblies each has (Tarjan's way, without recursion).
    fn components(&self) -> (Vec<usize>, Vec<usize>) {
        const NEW: usize = usize::MAX;
        let count = self.edges.len();
        let (mut order, mut low) = (vec![NEW; count], vec![0; count]);
        let (mut component, mut sizes) = (vec![NEW; count], Vec::new());
        let (mut open, mut next) = (Vec::new(), 0);
        for root in 0..count {
            let mut work = vec![(root, 0)];
            while let Some((node, edge)) = work.pop() {
                if edge == 0 {
                    if order[node] != NEW {
                        continue;
                    }
                    (order[node], low[node]) = (next, next);
                    next += 1;
                    open.push(node);
                } else {
                    // Back from the target of the edge before.
                    let target = self.edges[node][edge - 1];
                    if component[target] == NEW {
                        low[node] = low[node].min(low[target]);
                    }
                }
                if let Some(target) = self.edges[node].get(edge) {
                    work.push((node, edge + 1));
                    if order[*target] == NEW {
                        work.push((*target, 0));
                    }
                } else if low[node] == order[node] {
                    let start = open.iter().rposition(|other| *other == node).unwrap_or(0);
                    sizes.push(open.len() - start);
                    for member in open.drain(start..) {
                        component[member] = sizes.len() - 1;
                    }
                }
            }
        }
        (component, sizes)
    }

    fn cycles(&self, component: &[usize], sizes: &[usize], asked: &[bool]) -> Vec<Vec<String>> {
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (node, number) in component.iter().enumerate() {
            if sizes[*number] > 1 || self.edges[node].contains(&node) {
                members.entry(*number).or_default().push(node);
            }
        }
        let mut cycles: Vec<Vec<String>> = members
            .into_values()
            .filter(|nodes| nodes.iter().any(|node| asked[*node]))
            .map(|nodes| self.around(&nodes))
            .collect();
        cycles.sort();
        cycles
    }

    /// The members of a component, first along a way round from the first name, then the rest.
    fn around(&self, nodes: &[usize]) -> Vec<String> {
        let mut left: BTreeMap<&str, usize> =
            nodes.iter().map(|node| (self.assemblies[*node].name.as_str(), *node)).collect();
        let mut names = Vec::new();
        let mut next = left.first_key_value().map(|(name, _)| *name);
        while let Some(name) = next {
            let Some(node) = left.remove(name) else { break };
            names.push(name.to_owned());
            let targets = self.edges[node].iter().map(|t| self.assemblies[*t].name.as_str());
            next = targets
                .filter(|target| left.contains_key(target))
                .min()
                .or_else(|| left.first_key_value().map(|(name, _)| *name));
        }
        names
    }

    /// The longest chain that starts at an assembly that was asked for.
    fn longest(&self, component: &[usize], count: usize, asked: &[bool]) -> Vec<String> {
        // References go to lower numbers, so each component finds its targets done.
        let mut nodes: Vec<Vec<usize>> = vec![Vec::new(); count];
        component.iter().enumerate().for_each(|(node, number)| nodes[*number].push(node));
        let mut best: Vec<(usize, Option<usize>)> = vec![(0, None); count];
        for number in 0..count {
            for node in &nodes[number] {
                for target in self.edges[*node].iter().filter(|t| component[**t] != number) {
                    let length = best[component[*target]].0 + 1;
                    if length > best[number].0 {
                        best[number] = (length, Some(*target));
                    }
                }
            }
        }
        let starts = (0..self.assemblies.len()).filter(|node| asked[*node]);
        let start = starts.rev().max_by_key(|node| best[component[*node]].0);
        let chain = std::iter::successors(start, |node| best[component[*node]].1);
        chain.map(|node| self.assemblies[node].name.clone()).collect()
    }
}

fn undecided(presence: Presence, otherwise: FindingKind) -> FindingKind {
    match presence {
        Presence::Complete => otherwise,
        Presence::Partial => FindingKind::Undecided,
    }
}

fn finding(kind: FindingKind, path: &str, about: String) -> Finding {
    Finding { kind, path: path.to_owned(), about }
}
