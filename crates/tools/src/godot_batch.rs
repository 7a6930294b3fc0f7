//! Several calls as one change.

use crate::Group;

mod batch_operations;

pub(crate) const GROUP: Group = Group {
    name: "godotBatch",
    about: "Several calls as one change, all or nothing",
    tools: &[batch_operations::TOOL],
};
