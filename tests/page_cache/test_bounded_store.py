"""The cache in memory stays within its bounds and keeps what was used last."""

from hypothesis import given
from hypothesis import strategies as st

from page_cache.store import BoundedStore

MAX_ENTRIES, MAX_BYTES = 4, 100
USES = st.lists(
    st.tuples(st.sampled_from(["get", "put"]), st.integers(0, 8), st.integers(0, 120)), max_size=60
)


@given(USES)
def test_a_store_stays_within_its_bounds_and_returns_what_was_put_last(uses) -> None:
    store, last = BoundedStore[int](MAX_ENTRIES, MAX_BYTES), {}
    for number, (verb, key, size) in enumerate(uses):
        if verb == "put":
            store.put(key, number, size)
            if size <= MAX_BYTES:
                last[key] = number
                assert store.get(key) == number
        else:
            assert store.get(key) in (None, last.get(key))
        assert len(store) <= MAX_ENTRIES
        assert store.size <= MAX_BYTES
    store.clear()
    assert (len(store), store.size) == (0, 0)


def test_what_was_not_used_for_longest_makes_way() -> None:
    store = BoundedStore[str](2, MAX_BYTES)
    store.put("a", "a", 1)
    store.put("b", "b", 1)
    store.get("a")
    store.put("c", "c", 1)
    assert [store.get(key) for key in "abc"] == ["a", None, "c"]


def test_a_value_that_is_too_large_replaces_nothing() -> None:
    store = BoundedStore[str](2, MAX_BYTES)
    store.put("a", "a", MAX_BYTES)
    store.put("b", "b", MAX_BYTES + 1)
    assert [store.get(key) for key in "ab"] == ["a", None]
