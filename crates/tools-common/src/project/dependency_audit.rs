//! The tool `project.dependency.audit`: Audit Dependencies.

use scenewright_contract::{ErrorKind, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_unity::base::files;
use scenewright_unity::EditorVersion;
use scenewright_unity::packages::{self, Needs, Package, PackageOrigin, Pin, Place};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.dependency.audit",
    keywords: "packages outdated vulnerable manifest lock unused third party licences license compliance package sources security",
    engine: Some("unity"),
    title: "Audit Dependencies",
    notes: Some(
        "Works offline: licences and editor versions are known for packages on disk only, and no list of vulnerabilities is asked.",
    ),
    category: "project",
    tier: Tier::Tier4,
    examples: &[Example {
        description: "Audit the packages of the Unity sample and block one",
        input: r#"{ "project": "unity", "blockedPackages": ["com.unity.modules.imgui"] }"#,
        output: r#"{
            "success": true,
            "packagesAudited": 14,
            "issues": [{
                "package": "com.unity.modules.imgui",
                "version": "1.0.0",
                "issue": "The package is blocked",
                "severity": "error"
            }],
            "summary": { "totalPackages": 14, "compliant": 13, "nonCompliant": 1 }
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Audit the packages of a Unity project: licences, blocked packages, sources that can change
/// under the project, editor version. What cannot be known offline is said and not guessed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// Whether to check licences against `allowedLicenses`.
    #[serde(default = "yes")]
    check_licenses: bool,
    /// Whether to check where packages come from; vulnerabilities are not known offline.
    #[serde(default = "yes")]
    check_security: bool,
    /// Whether to check that packages work with the project's editor.
    #[serde(default = "yes")]
    check_compatibility: bool,
    /// SPDX ids that are allowed, such as `MIT`; any by default.
    #[serde(default)]
    allowed_licenses: Vec<String>,
    /// Names of packages that must not be there.
    #[serde(default)]
    blocked_packages: Vec<String>,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true, also when there are issues; a failure is an error.
    success: bool,
    /// How many packages were looked at.
    packages_audited: usize,
    /// What is wrong, by package.
    issues: Vec<Issue>,
    /// The counts.
    summary: Summary,
}

#[derive(Serialize, JsonSchema, Debug)]
struct Issue {
    /// Name of the package.
    package: String,
    /// Its version, or the address it comes from.
    version: String,
    /// What is wrong.
    issue: String,
    /// `error` or `warning`.
    severity: &'static str,
    /// Its licence, where the issue is about that and it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<String>,
    /// The vulnerability; never known offline.
    #[serde(skip_serializing_if = "Option::is_none")]
    cve: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Summary {
    /// All packages.
    total_packages: usize,
    /// Packages without an issue; the diagnostics say for how many something is not known.
    compliant: usize,
    /// Packages with one or more.
    non_compliant: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    let unity = files::unity(project, "Unity packages")?;
    if let Some(wrong) = input.allowed_licenses.iter().find(|id| !is_spdx(id)) {
        return Err(ToolError::new(ErrorKind::BadArguments, "Invalid license format")
            .detail("license", wrong.as_str())
            .hint("allowedLicenses takes SPDX ids such as MIT or Apache-2.0"));
    }
    let packages = packages::read(&project.root);
    if !packages.has_manifest {
        return Err(ToolError::new(ErrorKind::EngineError, "Package Manager unavailable")
            .detail("reason", packages.notes.join("; "))
            .hint("the project needs a readable Packages/manifest.json"));
    }
    packages.notes.iter().for_each(|note| cx.diagnose(note.clone()));
    let mut audit = Audit { input: &input, editor: &unity.version, issues: Vec::new() };
    packages.installed.iter().for_each(|package| audit.check(package));
    diagnose_limits(cx, &input, &packages.installed, &unity.version);
    let total = packages.installed.len();
    let mut wrong: Vec<&str> = audit.issues.iter().map(|issue| issue.package.as_str()).collect();
    wrong.dedup();
    let non_compliant = wrong.len();
    Ok(Output {
        success: true,
        packages_audited: total,
        summary: Summary { total_packages: total, compliant: total - non_compliant, non_compliant },
        issues: audit.issues,
    })
}

/// An SPDX id, or a `LicenseRef-`; no expression.
fn is_spdx(id: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
    id.starts_with(|c: char| c.is_ascii_alphanumeric()) && id.chars().all(is_part)
}

struct Audit<'a> {
    input: &'a Input,
    editor: &'a EditorVersion,
    issues: Vec<Issue>,
}

impl Audit<'_> {
    fn check(&mut self, package: &Package) {
        if self.input.blocked_packages.contains(&package.name) {
            self.issue(package, "error", "The package is blocked".to_owned());
        }
        if self.input.check_compatibility {
            self.check_compatibility(package);
        }
        if self.input.check_security {
            self.check_source(package);
        }
        if self.input.check_licenses && !self.input.allowed_licenses.is_empty() {
            self.check_license(package);
        }
    }

    fn issue(&mut self, package: &Package, severity: &'static str, issue: String) {
        self.issues.push(Issue {
            package: package.name.clone(),
            version: package.version_text().to_owned(),
            issue,
            severity,
            license: None,
            cve: None,
        });
    }

    fn check_compatibility(&mut self, package: &Package) {
        if let Needs::Newer(oldest) = package.needs(self.editor) {
            let own = self.editor;
            self.issue(package, "error", format!("Needs Unity {oldest}; the project has {own}"));
        }
    }

    fn check_source(&mut self, package: &Package) {
        if let Some(address) = package.open_address() {
            self.issue(package, "warning", format!("Fetched without encryption from {address}"));
        }
        let held = match &package.hash {
            Some(hash) => format!("the lock file holds it at {hash}"),
            None => "no lock file holds it".to_owned(),
        };
        match package.pin() {
            Pin::Firm | Pin::Path(_, Place::Inside) => {}
            Pin::NoRevision => {
                let issue = format!("The git dependency is not pinned to a revision; {held}");
                self.issue(package, "warning", issue);
            }
            Pin::Movable(name) => {
                let issue = format!(
                    "The git dependency is pinned to '{name}', which is neither a commit nor a version and can move; {held}"
                );
                self.issue(package, "warning", issue);
            }
            Pin::Path(path, Place::Outside) => {
                let issue = format!(
                    "The file dependency '{path}' is outside of the project: it has no version and other machines may not have it"
                );
                self.issue(package, "warning", issue);
            }
        }
    }

    fn check_license(&mut self, package: &Package) {
        // What is part of the editor has the editor's terms.
        if package.origin == PackageOrigin::BuiltIn {
            return;
        }
        let allowed = &self.input.allowed_licenses;
        let (name, file, is_allowed) = match &package.license {
            Some(license) => (license.name(), Some(&license.file), license.is_allowed(allowed)),
            None => (None, None, None),
        };
        let (severity, issue) = match (is_allowed, file) {
            (Some(true), _) => return,
            (Some(false), Some(file)) => ("error", format!("The licence is not allowed ({file})")),
            (_, Some(file)) => ("warning", format!("The licence has no known name; read {file}")),
            (_, None) if package.folder.is_some() => {
                ("warning", "The package has no licence file".to_owned())
            }
            (_, None) => {
                ("warning", "The licence is not known: the package is not on disk".to_owned())
            }
        };
        self.issue(package, severity, issue);
        if let Some(issue) = self.issues.last_mut() {
            issue.license = name.map(str::to_owned);
        }
    }
}

/// Say what was not looked at, and why.
fn diagnose_limits(cx: &Cx, input: &Input, installed: &[Package], editor: &EditorVersion) {
    let count = |is: &dyn Fn(&Package) -> bool| installed.iter().filter(|p| is(p)).count();
    let built_in = count(&|package| package.origin == PackageOrigin::BuiltIn);
    if built_in > 0 {
        cx.diagnose(format!(
            "{built_in} packages are part of the editor: they fit it, and have its terms"
        ));
    }
    if input.check_security {
        cx.diagnose("Vulnerabilities are not known: no database is asked offline");
    }
    let unknown = count(&|package| package.needs(editor) == Needs::Unknown);
    if input.check_compatibility && unknown > 0 {
        cx.diagnose(format!(
            "The editor version that {unknown} packages need is not known: they are not on disk or do not say"
        ));
    }
    let unnamed = count(&|package| {
        let name = package.license.as_ref().and_then(packages::License::name);
        package.origin != PackageOrigin::BuiltIn && name.is_none()
    });
    if input.check_licenses && unnamed > 0 {
        cx.diagnose(format!(
            "The licence of {unnamed} packages is not known: they are not on disk or do not name it"
        ));
    }
    if input.check_licenses && input.allowed_licenses.is_empty() {
        cx.diagnose("No licence is refused, because allowedLicenses is empty");
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_sample, call_writing};

    const PROJECT: &str = r##"
//- Packages/manifest.json
{ "dependencies": {
  "com.acme.a": "http://example.org/a.git#main",
  "com.acme.b": "https://example.org/b.git",
  "com.acme.c": "file:../../c",
  "com.acme.d": "1.0.0",
  "com.unity.modules.ui": "1.0.0"
} }
//- Packages/packages-lock.json
{ "dependencies": {
  "com.acme.b": { "version": "https://example.org/b.git", "source": "git", "hash": "0a1b" },
  "com.acme.d": { "version": "1.0.0", "source": "registry" },
  "com.unity.modules.ui": { "version": "1.0.0", "source": "builtin" }
} }
//- Library/PackageCache/com.acme.d@1.0.0/package.json
{ "name": "com.acme.d", "version": "1.0.0", "unity": "6000.0", "license": "GPL-3.0-only" }
//- Packages/e/package.json
{ "name": "com.acme.e", "version": "0.1.0", "unity": "2019.4", "license": "MIT" }
//- Packages/f/package.json
{ "name": "com.acme.f", "version": "0.1.0" }
//- Packages/f/LICENSE
All rights reserved.
"##;

    fn check(arguments: Value, expected: Expect) {
        let outcome = call_project(PROJECT, super::TOOL.id, arguments).unwrap();
        let mut shown = String::new();
        for issue in outcome.output["issues"].as_array().unwrap() {
            let text = |key: &str| issue[key].as_str().unwrap_or("-");
            shown += &format!(
                "{} {} [{}] {}\n",
                text("severity"),
                text("package"),
                text("license"),
                text("issue")
            );
        }
        shown += &format!("{}\n", outcome.output["summary"]);
        outcome.diagnostics.iter().for_each(|text| shown += &format!("({text})\n"));
        expected.assert_eq(&shown);
    }

    #[test]
    fn sources_and_versions_are_checked() {
        check(
            json!({ "checkLicenses": false }),
            expect![[r#"
                warning com.acme.a [-] Fetched without encryption from http://example.org/a.git#main
                warning com.acme.a [-] The git dependency is pinned to 'main', which is neither a commit nor a version and can move; no lock file holds it
                warning com.acme.b [-] The git dependency is not pinned to a revision; the lock file holds it at 0a1b
                warning com.acme.c [-] The file dependency '../../c' is outside of the project: it has no version and other machines may not have it
                error com.acme.d [-] Needs Unity 6000.0; the project has 2022.3.20f1
                {"totalPackages":7,"compliant":3,"nonCompliant":4}
                (1 packages are part of the editor: they fit it, and have its terms)
                (Vulnerabilities are not known: no database is asked offline)
                (The editor version that 4 packages need is not known: they are not on disk or do not say)
            "#]],
        );
    }

    #[test]
    fn licences_are_checked_against_the_list() {
        let arguments = json!({
            "checkSecurity": false, "checkCompatibility": false, "allowedLicenses": ["MIT"]
        });
        check(
            arguments,
            expect![[r#"
                warning com.acme.a [-] The licence is not known: the package is not on disk
                warning com.acme.b [-] The licence is not known: the package is not on disk
                warning com.acme.c [-] The licence is not known: the package is not on disk
                error com.acme.d [GPL-3.0-only] The licence is not allowed (Library/PackageCache/com.acme.d@1.0.0/package.json)
                warning com.acme.f [-] The licence has no known name; read Packages/f/LICENSE
                {"totalPackages":7,"compliant":2,"nonCompliant":5}
                (1 packages are part of the editor: they fit it, and have its terms)
                (The licence of 4 packages is not known: they are not on disk or do not name it)
            "#]],
        );
    }

    #[test]
    fn errors_are_those_that_are_published() {
        let error =
            call_sample(super::TOOL.id, json!({ "allowedLicenses": ["M I T"] })).unwrap_err();
        assert_eq!(error.message, "Invalid license format");
        let folder = Folder::unity("");
        std::fs::remove_file(folder.path("Packages/manifest.json")).unwrap();
        let error = call_writing(&folder, super::TOOL.id, json!({})).unwrap_err();
        assert_eq!(error.message, "Package Manager unavailable");
        assert!(call_sample(super::TOOL.id, json!({ "project": "godot" })).is_err());
    }
}
