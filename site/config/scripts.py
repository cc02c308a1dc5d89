"""Reads a module of the pages' scripts: its tokens, and which name means what.

The grammar is tree-sitter's. What our scripts don't use (default exports, `var`, labels of imports,
statements without a semicolon…) is refused rather than guessed at.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser


class Unlinkable(ValueError):
    """A module is written in a way that the linker does not know."""


@dataclass(eq=False, slots=True)
class Name:
    """What a scope declares."""

    text: str
    count: int = 0  # how often it is written
    source: "Name | None" = None  # what an import means, in the module that exports it

    @property
    def origin(self) -> "Name":
        """The same thing where it is declared."""
        return self.source.origin if self.source else self


@dataclass(eq=False, slots=True)
class Scope:
    """A stretch of code with names of its own."""

    parent: "Scope | None" = None
    names: dict[str, Name] = field(default_factory=dict)
    inner: "list[Scope]" = field(default_factory=list)
    outer: set[Name] = field(default_factory=set)  # of scopes around it, used in it or within
    unknown: set[str] = field(default_factory=set)  # the browser's names that are used in it

    def within(self) -> "Scope":
        """A new scope in this one."""
        scope = Scope(self)
        self.inner.append(scope)
        return scope

    def declare(self, text: str) -> None:
        """Adds a name."""
        self.names.setdefault(text, Name(text))

    def resolve(self, text: str) -> Name | None:
        """What a name means here, noted in all scopes between; None is the browser's."""
        chain: list[Scope] = []
        scope: Scope | None = self
        while scope is not None and text not in scope.names:
            chain.append(scope)
            scope = scope.parent
        name = scope.names[text] if scope else None
        for each in chain:
            if name is None:
                each.unknown.add(text)
            else:
                each.outer.add(name)
        if name is not None:
            name.count += 1
        return name


@dataclass(slots=True)
class Use:
    """A name as it is written in one place; `key` if it is also the key of a property."""

    text: str
    scope: Scope
    key: bool
    name: Name | None = None


@dataclass(frozen=True, slots=True)
class Later:
    """`import("./part.js")`."""

    address: str


Token = str | Use | Later


@dataclass(frozen=True, slots=True)
class Module:
    """One module without its imports and exports."""

    name: str
    top: Scope
    tokens: list[Token]
    imports: dict[str, list[tuple[str, str]]]  # address → (name there, name here)
    exports: tuple[str, ...]

    @property
    def later(self) -> list[str]:
        """The addresses of what it asks for when it needs it."""
        return [token.address for token in self.tokens if isinstance(token, Later)]


PARSER: Final = Parser(Language(tree_sitter_javascript.language()))
WHOLE: Final = {"string", "regex"}
FUNCTIONS: Final = {
    "function_declaration", "generator_function_declaration", "function_expression",
    "generator_function", "arrow_function", "method_definition",
}  # fmt: skip
DECLARED: Final = {"function_declaration", "generator_function_declaration", "class_declaration"}
SCOPES: Final = {"statement_block", "for_statement", "for_in_statement", "switch_body", "class"}
PATTERNS: Final = {
    "object_pattern", "array_pattern", "formal_parameters", "rest_pattern", "pair_pattern",
    "assignment_pattern", "object_assignment_pattern",
}  # fmt: skip
NAMES: Final = {
    "identifier",
    "shorthand_property_identifier",
    "shorthand_property_identifier_pattern",
}
ENDED: Final = {
    "expression_statement", "lexical_declaration", "return_statement", "throw_statement",
    "break_statement", "continue_statement", "import_statement",
}  # fmt: skip
REFUSED: Final = {
    "variable_declaration", "with_statement", "meta_property", "ERROR", "namespace_import",
    "export_clause", "decorator", "class_static_block", "hash_bang_line",
}  # fmt: skip


def read(name: str, source: str) -> Module:
    """Takes a module apart. Raises Unlinkable."""
    return _Reader(name).module(PARSER.parse(source.encode()).root_node)


class _Reader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._tokens: list[Token] = []
        self._imports: dict[str, list[tuple[str, str]]] = {}
        self._exports: list[str] = []
        self._visitors: dict[str, Callable[[Node, Scope], None]] = {
            "import_statement": self._import,
            "export_statement": self._export,
            "template_string": self._template,
            "call_expression": self._call,
            "catch_clause": self._catch,
            "variable_declarator": self._variable,
            "class_declaration": self._function,
            "empty_statement": self._empty,
            **dict.fromkeys(FUNCTIONS, self._function),
            **dict.fromkeys(SCOPES, self._block),
        }

    def module(self, root: Node) -> Module:
        if root.has_error:
            raise Unlinkable(f"{self._name} cannot be read")
        top = Scope()
        self._all(root, top)
        for token in self._tokens:
            if isinstance(token, Use):
                token.name = token.scope.resolve(token.text)
        return Module(self._name, top, self._tokens, self._imports, tuple(self._exports))

    def _refuse(self, node: Node) -> Unlinkable:
        row = node.start_point[0] + 1
        return Unlinkable(f"{self._name}, line {row}: {_text(node)[:60]!r}")

    def _visit(self, node: Node, scope: Scope) -> None:
        kind = node.type
        if kind in REFUSED or (kind in ENDED and node.children[-1].type != ";"):
            raise self._refuse(node)
        if kind in self._visitors and node.is_named:
            self._visitors[kind](node, scope)
        elif kind in NAMES:
            self._tokens.append(Use(_text(node), scope, kind != "identifier"))
        elif kind in WHOLE or (not node.child_count and kind != "comment"):
            self._tokens.append(_text(node))
        else:
            self._all(node, scope)

    def _all(self, node: Node, scope: Scope) -> None:
        for child in node.children:
            self._visit(child, scope)

    def _import(self, node: Node, scope: Scope) -> None:
        address = _string(_child(node, "source"))
        clause = [child for child in node.children if child.type == "import_clause"]
        named = clause[0].children[0] if clause else None
        if address in self._imports or (named and named.type != "named_imports"):
            raise self._refuse(node)
        bindings = self._imports[address] = []
        for each in named.named_children if named else ():
            there, here = _child(each, "name"), each.child_by_field_name("alias")
            bindings.append((_text(there), _text(here or there)))
            scope.declare(bindings[-1][1])

    def _export(self, node: Node, scope: Scope) -> None:
        declaration = node.child_by_field_name("declaration")
        if declaration is None or node.children[1].type == "default":
            raise self._refuse(node)
        if declaration.type == "lexical_declaration":
            names = [_child(each, "name") for each in declaration.named_children]
            if declaration.children[0].type != "const":  # what changes would change for nobody
                raise self._refuse(node)
        else:
            names = [_child(declaration, "name")]
        if any(each.type != "identifier" for each in names):
            raise self._refuse(node)
        self._exports += map(_text, names)
        self._visit(declaration, scope)

    def _function(self, node: Node, scope: Scope) -> None:
        """A function or a class; its parameters and its body are one scope."""
        inner = scope.within()
        for index, child in enumerate(node.children):
            part = node.field_name_for_child(index)
            if part == "name" and child.type == "identifier":
                where = scope if node.type in DECLARED else inner
                where.declare(_text(child))
                self._visit(child, where)
            elif part in ("parameters", "parameter"):
                self._declare(child, inner)
                self._visit(child, inner)
            elif child.type == "statement_block":
                self._all(child, inner)
            else:
                self._visit(child, inner)

    def _catch(self, node: Node, scope: Scope) -> None:
        inner = scope.within()
        if parameter := node.child_by_field_name("parameter"):
            self._declare(parameter, inner)
        for child in node.children:
            if child.type == "statement_block":
                self._all(child, inner)
            else:
                self._visit(child, inner)

    def _block(self, node: Node, scope: Scope) -> None:
        inner = scope.within()
        if node.child_by_field_name("kind"):  # for (const … of …)
            if _text(_child(node, "kind")) == "var":
                raise self._refuse(node)
            self._declare(_child(node, "left"), inner)
        if node.type == "class" and (name := node.child_by_field_name("name")):
            inner.declare(_text(name))
        self._all(node, inner)

    def _variable(self, node: Node, scope: Scope) -> None:
        self._declare(_child(node, "name"), scope)
        self._all(node, scope)

    def _declare(self, node: Node, scope: Scope) -> None:
        if node.type in NAMES:
            scope.declare(_text(node))
        elif node.type in PATTERNS:
            part = {"pair_pattern": "value"}.get(node.type, "left")
            named = node.child_by_field_name(part)
            for child in [named] if named else node.named_children:
                self._declare(child, scope)

    def _template(self, node: Node, scope: Scope) -> None:
        """The text between the slots stays as it is to the byte."""
        source, at = _bytes(node), node.start_byte
        for slot in node.children:
            if slot.type == "template_substitution":
                opening, *code, closing = slot.children
                self._tokens.append(
                    source[at - node.start_byte : opening.end_byte - node.start_byte].decode()
                )
                for child in code:
                    self._visit(child, scope)
                at = closing.start_byte
        self._tokens.append(source[at - node.start_byte :].decode())

    def _call(self, node: Node, scope: Scope) -> None:
        if _child(node, "function").type != "import":
            self._all(node, scope)
            return
        given = _child(node, "arguments").named_children
        if len(given) != 1 or given[0].type != "string":
            raise self._refuse(node)
        self._tokens.append(Later(_string(given[0])))

    def _empty(self, node: Node, scope: Scope) -> None:
        """The middle of `for (;;)` is one; as a body it is refused, for its end may be dropped."""
        outer = node.parent
        if outer and outer.type == "for_statement" and outer.child_by_field_name("body") != node:
            self._tokens.append(";")
        elif outer and outer.type not in ("program", "statement_block"):
            raise self._refuse(node)


def _bytes(node: Node) -> bytes:
    return node.text or b""


def _text(node: Node) -> str:
    return _bytes(node).decode()


def _string(node: Node) -> str:
    return _text(node)[1:-1]


def _child(node: Node, part: str) -> Node:
    child = node.child_by_field_name(part)
    assert child is not None, (node.type, part)
    return child


def written(tokens: list[str]) -> Iterator[str]:
    """Tokens without those that nobody needs, and with a blank where two would become another."""
    last = ""
    for index, token in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else ""
        if (token == ";" and following == "}") or (token == "," and following in ("}", ")")):
            continue
        if last and _clash(last, token):
            yield " "
        yield token
        last = token


def _clash(left: str, right: str) -> bool:
    end, start = left[-1], right[0]
    if _wordy(end) and _wordy(start):
        return True
    return (end == start and end in "+-/") or (left[0].isdigit() and start == ".")


def _wordy(sign: str) -> bool:
    return sign.isalnum() or sign in "_$#\\" or ord(sign) > 127
