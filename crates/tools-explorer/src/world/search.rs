//! Searches of the interface: what is asked for, and the page of what is found.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_world::{Filter, ObjectId, World};

use super::cards::{ObjectCard, PAGE, Page, Range};

/// Part of a name, in any case; it must say something.
pub(crate) struct Query(String);

impl Query {
    /// What the caller asks for.
    pub(crate) fn parse(text: &str) -> Result<Query, ToolError> {
        let query = text.trim().to_lowercase();
        if query.is_empty() {
            return Err(ToolError::new(ErrorKind::BadArguments, "query is required"));
        }
        Ok(Query(query))
    }

    /// Whether it is part of this name.
    pub(crate) fn is_in(&self, name: &str) -> bool {
        name.to_lowercase().contains(&self.0)
    }
}

/// The objects below some roots for which the filter holds, parents before children.
pub(crate) fn objects(
    world: &World,
    roots: &[ObjectId],
    filter: &Filter,
    range: Range,
) -> Page<ObjectCard> {
    let (offset, limit) = range.bounds(PAGE);
    let found = world.find_objects(roots, filter, offset, limit);
    Page { total: found.total, items: ObjectCard::of_all(world, &found.items) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_part_of_a_name_in_any_case() {
        let query = Query::parse(" Keep ").unwrap();
        assert!(query.is_in("Game.INNKEEPER"));
        assert!(!query.is_in("Game.Kee"));
        let empty = Query::parse(" \t").err().unwrap();
        assert_eq!((empty.kind, &*empty.message), (ErrorKind::BadArguments, "query is required"));
    }
}
