"""Judge a document by the published schema of its format: judge.py KIND FILE [SCHEMA]."""

import subprocess
import sys
from importlib import resources


def main() -> int:
    kind, file, *schema = sys.argv[1:]
    if kind == "cyclonedx":
        return cyclonedx(file)
    if kind == "server":
        release = resources.files("skillsaw") / "schemas/mcp_registry/v2025_12_11"
        with resources.as_file(release / "server.schema.json") as path:
            return check(["--schemafile", str(path)], file)
    if kind == "schema":
        # A pattern of SARIF's schema is none to engines that know Unicode.
        return check(["--regex-variant", "python", "--schemafile", schema[0]], file)
    return check(["--builtin-schema", f"vendor.{kind}"], file)


def check(schema: list, file: str) -> int:
    return subprocess.call([sys.executable, "-m", "check_jsonschema", *schema, file])


def cyclonedx(file: str) -> int:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    with open(file, encoding="utf-8") as text:
        problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text.read())
    if problem is not None:
        print(problem)
    return 0 if problem is None else 1


sys.exit(main())
