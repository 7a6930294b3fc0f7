"""Writes the layouts of Unity's native classes, as UnityPy carries them, as lines of text.

    string TEXT                                       numbered from 0, as the others refer to them
    node   TYPE NAME SIZE VERSION IS_ARRAY META CHILDREN
                                                      numbered from 0; strings and nodes by number
    class  ID
    from   UNITY_VERSION NAME ROOT                    of the class before; ROOT is `-` without a layout,
                                                      NAME too when that version lacks the class
    common UNITY_VERSION OFFSET STRING                Unity's table of names that files do not repeat

Only the editor's layouts: those of built players are in no project. Usage: unity_typetrees.py FILE
"""

import importlib.util
import pathlib
import sys

from tpk_ar import TpkFile


def blob():
    # Found without importing it, because that would need all that UnityPy itself depends on.
    package = importlib.util.find_spec("UnityPy").submodule_search_locations[0]
    with open(pathlib.Path(package) / "resources" / "lzma.tpk", "rb") as stream:
        return TpkFile.parse(stream).GetDataBlob()


def lines(data):
    for text in data.StringBuffer:
        yield "string", text
    for node in data.NodeBuffer:
        children = " ".join(map(str, node.SubNodes))
        numbers = node.ByteSize, node.Version, node.TypeFlags, node.MetaFlag
        yield "node", node.TypeName, node.Name, *numbers, children
    for number, versions in sorted(data.ClassInformation.items()):
        yield "class", number
        for version, known in versions:
            if known is None:
                yield "from", int(version), "-", "-"
            else:
                root = "-" if known.EditorRootNode is None else known.EditorRootNode
                yield "from", int(version), known.Name, root
    for version, entries in sorted(data.CommonString.VersionInformation.items()):
        for entry in entries:
            yield "common", int(version), entry.offset, entry.stringIndex


with open(sys.argv[1], "w", encoding="utf-8", newline="\n") as out:
    for line in lines(blob()):
        print(*line, sep="\t", file=out)
