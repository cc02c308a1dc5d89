"""Optimise IR for WebAssembly, compile and link it, with llvmlite and the linker of ziglang."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

TRIPLE: Final = "wasm32-unknown-unknown"
# What every browser with modules in workers has (2023): no relaxed instruction is among it.
FEATURES: Final = "+mutable-globals,+sign-ext,+nontrapping-fptoint,+bulk-memory"
OPTIMISATION_LEVEL: Final = 3
STACK_BYTES: Final = 1 << 16
TIMEOUT_S: Final = 60
# numba counts references to arrays that it allocates; no entry point allocates one.
REFERENCE_COUNTS: Final = ("NRT_incref", "NRT_decref")
# Functions of the C library that are one exact instruction of WebAssembly.
SUPPORT: Final = """
declare double @llvm.sqrt.f64(double)

define double @sqrt(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}
"""
_DEFINITION: Final = r"^define [^\n]*@{name}\([^\n]*\n.*?^}}$"
_HEADER: Final = re.compile(r"^target (datalayout|triple) = .*\n", re.MULTILINE)


class CannotLink(RuntimeError):
    """The code does not fit a module of WebAssembly; `str` is an English sentence."""


def link(modules: Sequence[str], exports: Sequence[str]) -> bytes:
    """Return a module of WebAssembly that exports these functions and imports its memory alone.

    Raises CannotLink.
    """
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="mvp", features=FEATURES, opt=OPTIMISATION_LEVEL, reloc="static"
    )
    whole = llvm.parse_assembly("")
    whole.triple, whole.data_layout = TRIPLE, str(machine.target_data)
    for text in (*modules, SUPPORT):
        whole.link_in(llvm.parse_assembly(_for_wasm(text)), preserve=False)
    _keep_only(whole, exports)
    tuning = llvm.create_pipeline_tuning_options(speed_level=OPTIMISATION_LEVEL)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(whole, builder)
    missing = [
        each.name for each in whole.functions if each.is_declaration and not _is_intrinsic(each)
    ]
    if missing:
        raise CannotLink(f"the engine calls what no browser has: {', '.join(sorted(missing))}")
    return _run_linker(machine.emit_object(whole), exports)


def _for_wasm(text: str) -> str:
    """Return IR of numba without this machine's layout, and without counts of references."""
    text = _HEADER.sub("", text).replace(" = common global ", " = weak global ")
    for name in REFERENCE_COUNTS:
        pattern = re.compile(_DEFINITION.format(name=name), re.MULTILINE | re.DOTALL)
        text = pattern.sub(f"define linkonce_odr void @{name}(ptr %array) {{\n  ret void\n}}", text)
    return text


def _keep_only(module: Any, exports: Sequence[str]) -> None:
    """Make everything internal but these functions, so that the rest is inlined or left out."""
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration:
            value.linkage = "external" if value.name in exports else "internal"


def _is_intrinsic(function: Any) -> bool:
    return bool(function.name.startswith("llvm."))


def _run_linker(code: bytes, exports: Sequence[str]) -> bytes:
    package = find_spec("ziglang")
    if package is None or package.origin is None:
        raise CannotLink("this needs the package ziglang, see games/wasm/README.md")
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "engine.o"), Path(folder, "engine.wasm")
        source.write_bytes(code)
        command = [
            str(Path(package.origin).parent / "zig"),
            *("wasm-ld", str(source), "-o", str(target), "--no-entry", "--strip-all"),
            *("--import-memory", "--stack-first", f"-zstack-size={STACK_BYTES}", "--gc-sections"),
            *("--export=__heap_base", *(f"--export={name}" for name in exports)),
        ]
        done = subprocess.run(
            command,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
        if done.returncode:
            raise CannotLink(f"wasm-ld failed:\n{done.stderr.strip()}")
        return target.read_bytes()
