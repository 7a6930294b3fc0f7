"""Run the shell steps of a recipe as its host would: run_recipe.py action|gitlab FILE FOLDER [KEY=VALUE...].

Of an action, values are its inputs and what the host knows (github.base_ref); of a pipeline, variables.
Nothing that a recipe asks for and nobody said is taken for empty: it is an error.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from ruamel.yaml import YAML


def main() -> int:
    kind, file, folder, *pairs = sys.argv[1:]
    values = dict(pair.split("=", 1) for pair in pairs)
    recipe = YAML(typ="safe").load(Path(file).read_text(encoding="utf-8"))
    return {"action": action, "gitlab": gitlab}[kind](recipe, folder, values)


def action(recipe: dict, folder: str, values: dict) -> int:
    inputs = recipe["inputs"]
    known = {f"inputs.{name}": entry["default"] for name, entry in inputs.items()}
    for name, value in values.items():
        key = name if "." in name else f"inputs.{name}"
        if key.startswith("inputs.") and key not in known:
            sys.exit(f"the action has no input {name}")
        known[key] = value

    def fill(text: str) -> str:
        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: str(known[found[1]]), str(text))

    for step in recipe["runs"]["steps"]:
        if "run" not in step:
            continue
        env = {**os.environ, **{key: fill(value) for key, value in step.get("env", {}).items()}}
        code = shell(fill(step["run"]), folder, env)
        if code != 0:
            return code
    return 0


def gitlab(recipe: dict, folder: str, values: dict) -> int:
    job = recipe["scenewright"]
    known = {"CI_PROJECT_DIR": folder, **recipe["variables"], **job["variables"], **values}
    fill = lambda text: re.sub(r"\$(\w+)", lambda found: known[found[1]], text)
    env = {**os.environ, **{key: fill(str(value)) for key, value in known.items()}}
    return shell("\n".join(job["script"]), folder, env)


def shell(script: str, folder: str, env: dict) -> int:
    # As both hosts start it.
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
    return subprocess.call(command, cwd=folder, env=env)


sys.exit(main())
