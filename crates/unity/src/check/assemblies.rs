//! Assembly definitions that need each other.

use rayon::prelude::*;

use super::{Finding, FindingKind};
use crate::asmdef::{Assembly, Graph, Presence};
use crate::index::{AssetKind, Index, RootKind};

/// The circles among the assemblies of a project; Unity compiles nothing while there is one.
pub(super) fn check(index: &Index) -> Vec<Finding> {
    let files: Vec<_> = index.of_kind(AssetKind::AsmDef).collect();
    let read = |asset: &crate::index::Asset<'_>| {
        let bytes = asset.read().ok()?;
        let assembly = Assembly::parse(&asset.path(), asset.guid(), &bytes).ok()?;
        Some((assembly, references_line(&bytes)))
    };
    let files = files.par_iter().filter(|asset| asset.name().ends_with(".asmdef"));
    let (assemblies, lines): (Vec<_>, Vec<_>) = files
        .filter_map(read)
        .map(|(assembly, line)| ((assembly.clone()), (assembly.path, line)))
        .unzip();
    let graph = Graph::new(assemblies, Vec::new());
    let is_own =
        |path: &str| index.by_path(path).is_some_and(|asset| asset.root().kind != RootKind::Cached);
    let report = graph.check(Presence::Partial, &is_own);
    let finding = |cycle: Vec<String>| {
        let first = cycle.first()?.clone();
        let link = crate::asmdef::Link::Name(first.clone());
        let file = graph.find(&link)?.path.clone();
        let line = lines.iter().find(|(path, _)| *path == file).and_then(|(_, line)| *line);
        Some(Finding {
            file: file.into(),
            line,
            field: Some(cycle.join(" -> ").into()),
            message: format!("the assemblies need each other: {} -> {first}", cycle.join(" -> "))
                .into(),
            ..Finding::new(FindingKind::AssemblyCycle)
        })
    };
    report.cycles.into_iter().filter_map(finding).collect()
}

/// The line with the list of references.
fn references_line(bytes: &[u8]) -> Option<usize> {
    let at = memchr::memmem::find(bytes, b"\"references\"")?;
    Some(memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1)
}
