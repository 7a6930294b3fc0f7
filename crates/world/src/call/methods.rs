//! The methods that can be called and watched: those of classes, and accessors of properties.

use std::collections::HashSet;
use std::sync::Arc;

use crate::types::{Member, MemberKind, Method, Types};

/// The methods of a class and its bases, accessors of properties among them, each with the class
/// that declares it. Of one that is overridden, the nearest.
pub fn methods_of(types: &Types, type_name: &str) -> Vec<(Arc<str>, Method)> {
    let mut methods: Vec<(Arc<str>, Method)> = Vec::new();
    let mut seen: HashSet<(Arc<str>, Vec<Arc<str>>)> = HashSet::new();
    for class in types.chain(type_name) {
        let accessors = class.members.iter().flat_map(accessors);
        for method in class.methods.iter().cloned().chain(accessors) {
            let parameters = method.parameters.iter().map(|(ty, _)| ty.clone()).collect();
            if seen.insert((method.name.clone(), parameters)) {
                methods.push((class.full_name.clone(), method));
            }
        }
    }
    methods
}

/// `get_x` and `set_x` of a property.
fn accessors(member: &Member) -> Vec<Method> {
    if member.kind == MemberKind::Field {
        return Vec::new();
    }
    let type_name =
        if member.type_name.is_empty() { "System.Object".into() } else { member.type_name.clone() };
    let mut methods = vec![Method {
        name: format!("get_{}", member.name).into(),
        returns: type_name.clone(),
        parameters: Vec::new(),
        is_static: member.is_static,
        is_virtual: false,
    }];
    if member.can_write {
        methods.push(Method {
            name: format!("set_{}", member.name).into(),
            returns: "System.Void".into(),
            parameters: vec![(type_name, "value".into())],
            is_static: member.is_static,
            is_virtual: false,
        });
    }
    methods
}
