"""Run faults one after the other and report the results."""

import time
from collections import Counter
from dataclasses import asdict, dataclass

from tests.faults.laboratory import Figure, Laboratory, Scale
from tests.faults.laws.evidence import Finding
from tests.faults.register import Fault

KINDS = ("lost", "doubled", "reordered", "leaked", "broken")


@dataclass(frozen=True)
class Outcome:
    """The result of a fault in a profile."""

    number: int
    name: str
    profile: str
    seconds: float
    runs: int = 0
    acknowledged: int = 0
    findings: tuple[Finding, ...] = ()
    figures: tuple[Figure, ...] = ()
    tracebacks: int = 0
    note: str = ""  # why it does not apply, or how the laboratory itself failed

    @property
    def counts(self) -> Counter[str]:
        """Findings by kind."""
        return Counter(finding.kind for finding in self.findings)

    @property
    def is_green(self) -> bool:
        """Whether nothing was lost, doubled, reordered, leaked or broken."""
        return not self.findings

    def plain(self) -> dict[str, object]:
        """The result as plain data for JSON."""
        figures = [{**asdict(figure), "met": figure.is_met} for figure in self.figures]
        findings = [str(finding) for finding in self.findings[:20]]
        counts = {kind: self.counts[kind] for kind in KINDS}
        return {**asdict(self), **counts, "figures": figures, "findings": findings}


async def run(fault: Fault, profile: str, scale: Scale, seed: str) -> Outcome:
    """Run a fault once; raise the failures of the laboratory itself."""
    if reason := fault.not_in.get(profile):
        return Outcome(fault.number, fault.name, profile, 0.0, note=f"does not apply: {reason}")
    began = time.monotonic()
    async with Laboratory(profile, scale, f"{seed} {fault.number}") as lab:
        figures = await fault.run(lab)
        findings = [*lab.past, *await lab.verdict()]
        return Outcome(
            fault.number,
            fault.name,
            profile,
            time.monotonic() - began,
            lab.runs,
            lab.acknowledged + lab.past_accepted,
            tuple(findings),
            tuple(figures),
            lab.tracebacks(),
        )
