"""Turkish pages of puzzles and studies contain no English text."""

import pytest

from tests.analysis.studies.study_trees import make, post, random_tree
from tests.pages.test_turkish import TURKISH, check
from tests.puzzles.puzzle_rows import RIGHT, attempt, make_daily, new_puzzle, wrong_turn
from tests.support.page_visitors import at_home
from tests.support.sign_up_forms import account
from tests.support.untranslated_text import english_in, read

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.parametrize("is_solved", [True, False], ids=["solved", "missed"])
def test_a_position_of_the_day_before_and_after_it_is_tried(client, is_solved) -> None:
    client.force_login(account("qaya"))
    puzzle = new_puzzle()
    daily = make_daily(puzzle)
    pages = (f"/puzzles/{puzzle.slug}/", "/daily/", f"/daily/{daily.day.isoformat()}/")
    lists = ("/", "/puzzles/", "/daily/archive/")
    turns = [RIGHT] if is_solved else [wrong_turn(puzzle, number) for number in range(3)]
    for address in (*pages, *lists):
        check(client, address)
    for tries, turn in enumerate(turns):
        assert attempt(client, puzzle, turn, tries).status_code == 200
        check(client, "/daily/archive/")
    for address in (*pages, *lists):
        check(client, address)


@pytest.mark.parametrize("key", ["amazons-8x8", "pincer"])
def test_studies_of_their_owner_and_their_readers(client, key) -> None:
    client.force_login(account("qaya"))
    _, reader = at_home("qurt")
    slug = make(client, key, "qora", random_tree(key, 4))
    address = f"/study/{slug}/"
    for page in ("/studies/", address, f"{address}delete/"):
        check(client, page)
    answer = post(client, f"{address}save", {"rev": 1, "visibility": "public"})
    assert answer.status_code == 200
    for page in (f"/studies/{key}/", address, f"/studies/{slug}/embed/", "/u/qaya/studies/"):
        check(reader, page)
    answer = client.post(f"{address}delete/", follow=True, **TURKISH)
    assert not english_in(read(answer.content.decode()))
