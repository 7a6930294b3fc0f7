//! The members of a type, from the nodes of the syntax tree.

use std::collections::HashMap;

use super::constant::constant;
use super::*;

impl Reader<'_> {
    pub(super) fn type_decl(
        &mut self,
        node: Node<'_>,
        scope: &Scope,
        summary: Option<String>,
    ) -> TypeDecl {
        let parts = children(node);
        let kind = match node.kind() {
            "struct_declaration" => TypeKind::Struct,
            "interface_declaration" => TypeKind::Interface,
            "enum_declaration" => TypeKind::Enum,
            "delegate_declaration" => TypeKind::Delegate,
            "record_declaration" if parts.iter().any(|n| n.kind() == "struct") => {
                TypeKind::RecordStruct
            }
            "record_declaration" => TypeKind::Record,
            _ => TypeKind::Class,
        };
        let mut decl = empty_type(kind, scope);
        decl.name = self.field(node, "name");
        decl.about = self.about(node, scope, summary);
        decl.end_line = node.end_position().row as u32 + 1;
        decl.returns = node.child_by_field_name("type").map(|n| self.shown(n));
        for part in parts {
            match part.kind() {
                "type_parameter_list" => decl.type_parameters = self.type_parameters(part),
                "base_list" => decl.bases = self.bases(part),
                "parameter_list" => decl.parameters = self.parameters(part),
                _ => {}
            }
        }
        let Some(body) = node.child_by_field_name("body") else { return decl };
        let outer = joined(&scope.outer, &decl.name);
        self.body(body, Scope { outer, depth: scope.depth + 1, ..scope.clone() }, &[], &mut decl);
        number(&mut decl.enum_members);
        if kind == TypeKind::Interface {
            decl.properties.iter_mut().for_each(|property| property.auto = false);
        }
        decl
    }

    pub(super) fn member(
        &mut self,
        node: Node<'_>,
        scope: &Scope,
        summary: Option<String>,
        into: &mut TypeDecl,
    ) {
        let method = match node.kind() {
            "field_declaration" | "event_field_declaration" => {
                return self.fields(node, scope, summary, into);
            }
            "property_declaration" | "indexer_declaration" => {
                let property = self.property(node, scope, summary);
                return into.properties.push(property);
            }
            "event_declaration" => {
                let ty = self.field(node, "type").into();
                let event =
                    Event { name: self.name(node), ty, about: self.about(node, scope, summary) };
                return into.events.push(event);
            }
            "enum_member_declaration" => {
                return into.enum_members.push(EnumMember {
                    name: self.field(node, "name"),
                    text: node.child_by_field_name("value").map(|n| self.shown(n)),
                    value: None,
                    about: self.about(node, scope, summary),
                });
            }
            "method_declaration" => MethodKind::Method,
            "constructor_declaration" => MethodKind::Constructor,
            "destructor_declaration" => MethodKind::Destructor,
            "operator_declaration" | "conversion_operator_declaration" => MethodKind::Operator,
            // At the top of an unclosed type a method reads as a local function.
            "global_statement" | "local_function_statement" => {
                for child in children(node) {
                    if child.kind() == "local_function_statement" {
                        let method = self.method(child, MethodKind::Method, scope, summary.clone());
                        into.methods.push(method);
                    }
                }
                return;
            }
            _ => return,
        };
        let method = self.method(node, method, scope, summary);
        into.methods.push(method);
    }

    fn method(
        &self,
        node: Node<'_>,
        kind: MethodKind,
        scope: &Scope,
        summary: Option<String>,
    ) -> Method {
        let returns = ["returns", "type"].iter().find_map(|f| node.child_by_field_name(f));
        let returns = returns.map(|n| self.shown(n)).unwrap_or_default();
        let list = |field| node.child_by_field_name(field);
        let name = match (kind, node.child_by_field_name("operator")) {
            (MethodKind::Operator, Some(sign)) => format!("operator {}", self.shown(sign)),
            (MethodKind::Operator, None) => format!("operator {returns}"),
            (MethodKind::Destructor, _) => format!("~{}", self.name(node)),
            _ => self.name(node),
        };
        let parameters = list("parameters").map(|n| self.parameters(n)).unwrap_or_default();
        let is_reset = self.is_whole && name == "Reset" && parameters.is_empty();
        let body = list("body").filter(|_| is_reset);
        Method {
            kind,
            name,
            returns,
            statements: body.map(|body| self.statements(body)),
            type_parameters: list("type_parameters")
                .map(|n| self.type_parameters(n))
                .unwrap_or_default(),
            parameters,
            about: self.about(node, scope, summary),
        }
    }

    /// The statements in a block, or the expression behind `=>`.
    fn statements(&self, body: Node<'_>) -> Vec<String> {
        let all = children(body).into_iter();
        let all = all.filter(|node| node.is_named() && node.kind() != "comment");
        all.map(|node| self.shown(node)).collect()
    }

    fn fields(&self, node: Node<'_>, scope: &Scope, summary: Option<String>, into: &mut TypeDecl) {
        let about = self.about(node, scope, summary);
        let Some(list) = children(node).into_iter().find(|n| n.kind() == "variable_declaration")
        else {
            return;
        };
        let ty: Arc<str> = self.field(list, "type").into();
        for one in children(list).into_iter().filter(|n| n.kind() == "variable_declarator") {
            let Some(name) = one.child_by_field_name("name") else { continue };
            let about = About { line: line(name), ..about.clone() };
            let (name, ty) = (self.shown(name), ty.clone());
            if node.kind() == "event_field_declaration" {
                into.events.push(Event { name, ty, about });
                continue;
            }
            into.fields.push(Field { name, ty, initializer: self.after_equals(one), about });
        }
    }

    fn property(&self, node: Node<'_>, scope: &Scope, summary: Option<String>) -> Property {
        let about = self.about(node, scope, summary);
        let mut accessors = String::new();
        let mut auto =
            node.kind() == "property_declaration" && !about.modifiers.has(Modifier::Abstract);
        match node.child_by_field_name("accessors") {
            Some(list) => {
                for one in children(list).into_iter().filter(|n| n.kind() == "accessor_declaration")
                {
                    let body = one.child_by_field_name("body");
                    auto &= body.is_none();
                    for part in children(one) {
                        if part.kind() == "modifier"
                            || one.child_by_field_name("name") == Some(part)
                        {
                            accessors.push_str(&self.shown(part));
                            accessors.push(' ');
                        }
                    }
                    accessors = format!("{}; ", accessors.trim_end());
                }
            }
            None => auto = false,
        }
        let accessors = accessors.trim_end().to_owned();
        let initializer =
            if auto { node.child_by_field_name("value").map(|n| self.shown(n)) } else { None };
        Property {
            name: self.name(node),
            ty: self.field(node, "type").into(),
            accessors,
            auto,
            initializer,
            about,
        }
    }

    /// The name of a member, with the interface before it when that is explicit.
    fn name(&self, node: Node<'_>) -> String {
        let name = if node.kind() == "indexer_declaration" {
            "this".into()
        } else {
            self.field(node, "name")
        };
        match children(node).into_iter().find(|n| n.kind() == "explicit_interface_specifier") {
            Some(interface) => format!("{}.{name}", self.shown(interface).trim_end_matches('.')),
            None => name,
        }
    }

    /// The expression after the `=` of a field or parameter.
    fn after_equals(&self, node: Node<'_>) -> Option<String> {
        let mut parts = children(node).into_iter().skip_while(|n| n.kind() != "=").skip(1);
        parts.find(|n| n.is_named() && n.kind() != "comment").map(|n| self.shown(n))
    }

    fn about(&self, node: Node<'_>, scope: &Scope, summary: Option<String>) -> About {
        let mut attributes = Vec::new();
        let mut modifiers = Modifiers::default();
        for part in children(node) {
            match part.kind() {
                "attribute_list" => self.attributes(part, &mut attributes),
                "preproc_if_in_attribute_list" => {
                    for list in children(part).into_iter().filter(|n| n.kind() == "attribute_list")
                    {
                        self.attributes(list, &mut attributes);
                    }
                }
                "modifier" => modifiers.add(self.text(part)),
                _ => {}
            }
        }
        About {
            attributes: attributes.into(),
            modifiers,
            summary: summary.map(Into::into),
            condition: scope.condition.clone(),
            line: line(node.child_by_field_name("name").unwrap_or(node)),
        }
    }

    fn attributes(&self, list: Node<'_>, into: &mut Vec<Attribute>) {
        let mut target = None;
        for part in children(list) {
            match part.kind() {
                "attribute_target_specifier" => {
                    target = Some(self.shown(part).trim_end_matches(':').trim().to_owned());
                }
                "attribute" => {
                    let lists = children(part)
                        .into_iter()
                        .filter(|n| n.kind() == "attribute_argument_list");
                    let arguments =
                        lists.flat_map(children).filter(|n| n.kind() == "attribute_argument");
                    into.push(Attribute {
                        target: target.clone(),
                        name: self.field(part, "name"),
                        arguments: arguments.map(|n| self.argument(n)).collect(),
                    });
                }
                _ => {}
            }
        }
    }

    fn argument(&self, node: Node<'_>) -> Argument {
        let name = node.child_by_field_name("name");
        let text = children(node).into_iter().rfind(|n| n.is_named() && n.kind() != "comment");
        Argument {
            name: name.map(|n| self.shown(n)),
            text: text.map(|n| self.shown(n)).unwrap_or_default(),
        }
    }

    pub(super) fn bases(&self, list: Node<'_>) -> Vec<String> {
        let bases = children(list)
            .into_iter()
            .filter(|n| n.is_named() && !matches!(n.kind(), "argument_list" | "comment" | "ERROR"));
        bases
            .map(|n| {
                self.shown(
                    n.child_by_field_name("type")
                        .filter(|_| n.kind().starts_with("primary"))
                        .unwrap_or(n),
                )
            })
            .collect()
    }

    fn type_parameters(&self, list: Node<'_>) -> Vec<String> {
        let parameters = children(list).into_iter().filter(|n| n.kind() == "type_parameter");
        parameters.map(|n| self.field(n, "name")).collect()
    }

    fn parameters(&self, list: Node<'_>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        let mut cursor = list.walk();
        let mut rest: Option<Parameter> = None;
        for part in list.children(&mut cursor) {
            match part.kind() {
                "parameter" => {
                    let modifiers = children(part).into_iter().filter(|n| n.kind() == "modifier");
                    parameters.push(Parameter {
                        name: self.field(part, "name"),
                        ty: self.field(part, "type"),
                        modifiers: modifiers.map(|n| self.shown(n)).collect::<Vec<_>>().join(" "),
                        default: self.after_equals(part),
                    });
                }
                // `params int[] rest` has no node of its own.
                "params" => {
                    let ty = self.field(list, "type");
                    let name = self.field(list, "name");
                    rest = Some(Parameter { name, ty, modifiers: "params".into(), default: None });
                }
                _ => {}
            }
        }
        parameters.extend(rest);
        parameters
    }
}

/// Gives the members of an enum their numbers, as far as the enum itself tells them.
fn number(members: &mut [EnumMember]) {
    let mut known: HashMap<String, i64> = HashMap::new();
    let mut next = Some(0i64);
    for member in members {
        member.value = match &member.text {
            Some(text) => constant(text, &|name| known.get(name).copied()),
            None => next,
        };
        next = member.value.and_then(|value| value.checked_add(1));
        known.extend(member.value.map(|value| (member.name.clone(), value)));
    }
}
