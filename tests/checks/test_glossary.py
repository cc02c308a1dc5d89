"""The glossary and the public names of the code keep together."""

import ast
import re

from tests.checks.project_files import ROOT, files_below, text_of

MAP = ROOT / "site" / "README.md"
MAX_TERMS = 60
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def terms() -> list[str]:
    """Return the terms that the glossary explains, in order."""
    return re.findall(r"\*\*([a-z][^*:.]*)\*\*", text_of(MAP).partition("\n## Glossary\n")[2])


def code_words() -> str:
    """Return the names of modules, classes, functions and fields, as words in lower case."""
    names: set[str] = set()
    for path in files_below(ROOT / "site", ".py"):
        names.add(path.stem)
        for node in ast.walk(ast.parse(text_of(path))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.AnnAssign | ast.Assign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names.update(each.id for each in targets if isinstance(each, ast.Name))
    return "\n".join(CAMEL.sub(" ", name).replace("_", " ").lower() for name in names)


def test_each_term_is_explained_once() -> None:
    found = terms()
    assert len(found) == len(set(found)) and len(found) <= MAX_TERMS, len(found)


def test_each_term_is_a_name_in_the_code() -> None:
    words = code_words()
    assert not [term for term in terms() if not re.search(rf"\b{re.escape(term)}", words)]
