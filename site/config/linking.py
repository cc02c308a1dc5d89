"""Links the pages' modules: one file for each script of a page, and one for each part it asks for
later.

The modules are written for the browser, and served one by one while the site is worked on. Linked,
they stand in one scope, each after what it imports, and every name of ours is a short one; what is
a property keeps its name. `import("./part.js")` stays a request of its own: the part is lent what
the page has already, so that no module is there twice.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import count, product
from posixpath import dirname, join, normpath, relpath
from string import ascii_letters
from typing import Final

from config.scripts import Later, Module, Name, Scope, Unlinkable, Use, read, written

Source = Callable[[str], str]  # the text of a module, by its name; FileNotFoundError
Shorts = dict[Name, str]  # what each name of ours is called in a file
# Words of the language that are as short as a name of ours may get.
RESERVED: Final = {"as", "do", "if", "in", "of", "for", "get", "let", "new", "set", "try", "var"}


def linked(
    base: str, pages: Iterable[tuple[str, ...]], source: Source
) -> Iterator[tuple[str, str]]:
    """The files to serve, name and text: `base`, which every page has first, the scripts of the
    pages, and the parts that they ask for later. Raises Unlinkable and FileNotFoundError.
    """
    house = House(source)
    shared = house.closure([base])
    for page in pages:
        house.refuse_twins(page, shared)
    first: Shorts = {}
    house.name(shared, first)
    scripts = dict.fromkeys(script for page in pages for script in page)
    bundles = [Bundle(house, script, base, first) for script in scripts]
    lent = {name for bundle in bundles for name in bundle.lent}
    yield base, f"{house.text(shared, first)}export{{{_list(first[name] for name in lent)}}};"
    for bundle in bundles:
        yield bundle.script, bundle.text
        yield from bundle.parts


def alone(name: str, source: Source) -> str:
    """A script that imports nothing and is no module."""
    house = House(source)
    shorts: Shorts = {}
    house.name([name], shorts)
    return house.text([name], shorts)


class House:
    """All modules, each read once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._modules: dict[str, Module] = {}

    def __getitem__(self, name: str) -> Module:
        if name not in self._modules:
            module = self._modules[name] = read(name, self._source(name))
            for address, bindings in module.imports.items():
                for there, here in bindings:
                    module.top.names[here].source = self.exported(
                        beside(name, address), there, name
                    )
        return self._modules[name]

    def exported(self, name: str, word: str, importer: str) -> Name:
        """What a module exports under that word."""
        if word not in self[name].exports:
            raise Unlinkable(f"{importer}: {name} exports no {word}")
        return self[name].top.names[word]

    def imports(self, name: str) -> list[str]:
        """The modules that one imports."""
        return [beside(name, address) for address in self[name].imports]

    def closure(self, names: Iterable[str], without: Iterable[str] = ()) -> tuple[str, ...]:
        """The modules and all that they import, each after what it needs."""
        done: dict[str, None] = dict.fromkeys(without)
        beginning = len(done)
        for name in names:
            self._visit(name, done)
        return tuple(done)[beginning:]

    def _visit(self, name: str, done: dict[str, None], path: tuple[str, ...] = ()) -> None:
        if name in path:
            raise Unlinkable(f"a circle of imports: {' → '.join((*path, name))}")
        if name not in done:
            for other in self.imports(name):
                self._visit(other, done, (*path, name))
            done[name] = None

    def refuse_twins(self, page: tuple[str, ...], shared: tuple[str, ...]) -> None:
        """A module that two scripts of one page have would be there twice, with two states."""
        seen: set[str] = set()
        for script in page:
            own = {*self.closure([script], shared)}
            if twins := own & seen:
                raise Unlinkable(f"{page} share {', '.join(sorted(twins))}, which the base has not")
            seen |= own

    def borrowed(self, names: Iterable[str]) -> list[Name]:
        """What some modules import from others than themselves."""
        own = {*names}
        found = {
            self[name].top.names[here].origin: None
            for name in names
            for address, bindings in self[name].imports.items()
            if beside(name, address) not in own
            for _, here in bindings
        }
        return list(found)

    def name(self, names: Iterable[str], shorts: Shorts) -> None:
        """Gives short names to all that some modules declare; `shorts` has those of what they
        borrow. The most used ones get the shortest."""
        modules = [self[name] for name in names]
        own = [
            name for module in modules for name in module.top.names.values() if name.source is None
        ]
        taken = {*shorts.values(), *(word for module in modules for word in module.top.unknown)}
        fresh = (short for short in _shorts() if short not in taken)
        for name in sorted(own, key=lambda name: -name.count):
            shorts[name] = next(fresh)
        for module in modules:
            for scope in module.top.inner:
                _name_within(scope, shorts)

    def text(
        self, names: Iterable[str], shorts: Shorts, ask: Mapping[str, str] | None = None
    ) -> str:
        """The code of some modules, one after the other."""
        return "".join("".join(written(_spelled(self[name], shorts, ask or {}))) for name in names)


class Bundle:
    """One script of a page with the modules that only it has, and the parts that it asks for."""

    def __init__(self, house: House, script: str, base: str, first: Shorts) -> None:
        self._house, self.script, self._base = house, script, base
        shared = house.closure([base])
        at_once = house.closure([script], shared)
        targets = dict.fromkeys(
            beside(name, address) for name in at_once for address in house[name].later
        )
        # What two parts need is with the page, or it would be there twice.
        needs = [house.closure([target], (*shared, *at_once)) for target in targets]
        common = [name for index, need in enumerate(needs) for name in need
                  if any(name in other for other in needs[index + 1 :])]  # fmt: skip
        self._own = house.closure([*common, script], shared)
        self._parts = {target: house.closure([target], (*shared, *self._own)) for target in targets}
        for target, names in self._parts.items():
            if not names or any(house[name].later for name in names):
                raise Unlinkable(f"{script} cannot ask for {target} later")
        self.lent = [name for name in house.borrowed(self._everything) if name in first]
        self._shorts = {name: first[name] for name in self.lent}
        house.name(self._own, self._shorts)

    @property
    def _everything(self) -> list[str]:
        return [*self._own, *(name for part in self._parts.values() for name in part)]

    @cached_property
    def text(self) -> str:
        """The script itself."""
        names = _list(self._shorts[name] for name in self.lent)
        get = f'import{{{names}}}from"{_toward(self.script, self._base)}";'
        asks = {target: self._asking(target) for target in self._parts}
        return get + self._house.text(self._own, self._shorts, asks)

    @property
    def parts(self) -> Iterator[tuple[str, str]]:
        """The parts, name and text. Asked for again, a part is the one that was made."""
        for target, names in self._parts.items():
            shorts = {name: self._shorts[name] for name in self._house.borrowed(names)}
            given = _list(shorts.values())
            self._house.name(names, shorts)
            module = self._house[target]
            made = _list(f"{word}:{shorts[module.top.names[word]]}" for word in module.exports)
            yield (
                self._file(target),
                f"let $;export const link=({given})=>{{if(!$){{"
                f"{self._house.text(names, shorts)}$={{{made}}}}}return $}};",
            )

    def _asking(self, target: str) -> str:
        given = _list(self._shorts[name] for name in self._house.borrowed(self._parts[target]))
        return f'import("{_toward(self.script, self._file(target))}").then($=>$.link({given}))'

    def _file(self, target: str) -> str:
        part = target.removeprefix("js/").replace("/", "-")
        return f"{self.script.removesuffix('.js')}-{part}"


def beside(name: str, address: str) -> str:
    """The module that another one means by an address."""
    return normpath(join(dirname(name), address))


def _toward(name: str, other: str) -> str:
    path = relpath(other, dirname(name))
    return path if path.startswith(".") else f"./{path}"


def _list(words: Iterable[str]) -> str:
    return ",".join(words)


def _spelled(module: Module, shorts: Shorts, asks: Mapping[str, str]) -> list[str]:
    """The tokens of a module under their short names."""
    spelled: list[str] = []
    for token in module.tokens:
        if isinstance(token, Use):
            short = shorts[token.name.origin] if token.name else token.text
            spelled += [token.text, ":", short] if token.key and short != token.text else [short]
        elif isinstance(token, Later):
            spelled.append(asks[beside(module.name, token.address)])
        else:
            spelled.append(token)
    return spelled


def _name_within(scope: Scope, shorts: Shorts) -> None:
    taken = {shorts[name.origin] for name in scope.outer} | scope.unknown
    fresh = (short for short in _shorts() if short not in taken)
    for name in scope.names.values():
        shorts[name] = next(fresh)
    for inner in scope.inner:
        _name_within(inner, shorts)


def _shorts() -> Iterator[str]:
    """a, b, c, … aa, ab, …"""
    for length in count(1):
        for letters in product(ascii_letters, repeat=length):
            word = "".join(letters)
            if word not in RESERVED:
                yield word
