"""`python -m games.wasm.emit NAME`: print the code of an engine as LLVM's IR, not optimised.

A process of its own, because numba reads its settings when it is imported: no optimisation, so that
no address is laid out for this machine, and no features of this machine's processor.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

# Documented at "Environment variables" in numba's reference manual.
SETTINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "NUMBA_OPT": "0",
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_LOOP_VECTORIZE": "0",
        "NUMBA_SLP_VECTORIZE": "0",
        "PYTHONHASHSEED": "0",
    }
)
LLVM_TYPES: Final = {"table": "ptr", "int32": "i32", "int64": "i64", "float64": "double"}
CALL_PREFIX: Final = "cfunc."  # of the name of numba's wrapper for C around the function itself


def main() -> None:
    """Print a JSON object: the manifest, and for each entry point its IR and wrapper."""
    from games.wasm.layout import manifest_of

    numba: Any = import_module("numba")

    # Without optimisation, numba cannot cache; nothing here is to be cached.
    warnings.filterwarnings("ignore", "Cannot cache compiled function")
    if any(os.environ.get(name) != value for name, value in SETTINGS.items()):
        raise SystemExit("numba's settings are not those of games.wasm.emit")
    engine = import_module(f"games.wasm.{sys.argv[1]}").engine()
    kinds: dict[str, Any] = {
        name: getattr(numba.types, name) for name in LLVM_TYPES if name != "table"
    }
    kinds["table"] = numba.types.CPointer(numba.types.int64)
    modules = []
    for entry in engine.entries:
        compiled = numba.cfunc(kinds[entry.returns](*(kinds[each] for each in entry.takes)))(
            entry.function
        )
        name = compiled.native_name.removeprefix(CALL_PREFIX)
        modules += [compiled.inspect_llvm(), wrapper(entry.name, name, entry.takes, entry.returns)]
    found = {"manifest": manifest_of(engine), "modules": modules, "sources": sources()}
    json.dump({**found, "exports": [entry.name for entry in engine.entries]}, sys.stdout)


def sources() -> list[str]:
    """Return the names of the modules of players and of this package that have been imported.

    A module that comes to be needed later is imported by one of these, which then changes.
    """
    packages = ("games.players.", "games.wasm.")
    return sorted(name for name in sys.modules if name.startswith(packages))


def wrapper(export: str, name: str, takes: tuple[str, ...], returns: str) -> str:
    """Return the IR of a function that calls one of numba's, and traps where that raises.

    A function of numba returns a status, 0 unless it raises, and writes its result to a pointer.
    """
    result = LLVM_TYPES[returns]
    kinds = [LLVM_TYPES[each] for each in takes]
    parameters = ", ".join(f"{kind} %a{index}" for index, kind in enumerate(kinds))
    return f"""
declare i32 @{name}({", ".join(["ptr", "ptr", *kinds])})
declare void @llvm.trap()

define {result} @{export}({parameters}) {{
  %result = alloca {result}
  %error = alloca ptr
  %status = call i32 @{name}(ptr %result, ptr %error, {parameters})
  %raised = icmp ne i32 %status, 0
  br i1 %raised, label %fail, label %done
fail:
  call void @llvm.trap()
  unreachable
done:
  %value = load {result}, ptr %result
  ret {result} %value
}}
"""


if __name__ == "__main__":
    main()
