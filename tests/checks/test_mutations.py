"""The mutations fit the code: `python -m tests.mutations` can plant and run each of them."""

from collections import Counter

import pytest

from tests.mutations.catalogue import MUTATIONS
from tests.mutations.find_tests import ROOT, resolve

MIN_MUTATIONS = 44


def test_there_are_enough_mutations_and_each_has_a_number_of_its_own():
    assert len(MUTATIONS) >= MIN_MUTATIONS
    numbers = Counter(each.number for each in MUTATIONS)
    assert [number for number, count in numbers.items() if count > 1] == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.number)
def test_a_mutation_fits_the_code_and_names_tests_that_exist(mutation):
    text = (ROOT / mutation.file).read_text(encoding="utf-8")
    assert mutation.new != mutation.old
    mutated = mutation.mutate(text)  # raises unless the old text occurs exactly once
    if not mutation.is_script:
        compile(mutated, mutation.file, "exec")
    assert mutation.first
    for name in mutation.first:
        assert resolve(name).endswith(".test.js") == mutation.is_script
