"""Pictures that messengers show beside links to home, learn pages and profiles."""

import logging
from collections.abc import Callable, Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.public_profile.person_pages import page_of_person
from games.catalogue import rules_of
from games.core import advance, assemble_joint
from games.effects import Effect, Place, Slide
from pages.game_cards import CARDS, Card
from pictures.card_data import Facts
from pictures.page_card import PageCard, page_png
from pictures.renderer import RenderError

MAX_AGE_S = 24 * 3600
RETRY_AFTER_S = 60
MAIN_GAME = "amazons-8x8"  # its board stands on the pictures that are about no single game
BY_KEY = {card.key: card for card in CARDS}
TEXTS: dict[str, Callable[[], tuple[str, str]]] = {
    "home": lambda: (_("Strategy games online"), _("Free, no sign-up.")),
    "learn": lambda: (_("How to play"), _("Five games, each learned in two minutes.")),
}
log = logging.getLogger("quiver.pages")


@require_safe
def page_picture(request: HttpRequest, name: str) -> HttpResponse:
    """Return the picture of the front page, of the index of the rules, or of one game's rules."""
    with override(settings.LANGUAGE_CODE):
        if name in TEXTS:
            title, text = TEXTS[name]()
            card = PageCard(title, text, facts_of_card(BY_KEY[MAIN_GAME]))
        elif name in BY_KEY:
            about = BY_KEY[name]
            card = PageCard(about.name, str(about.lines), facts_of_card(about))
        else:
            raise Http404
    return _answer(request, card)


@require_safe
@page_of_person
def profile_picture(request: HttpRequest, user: User) -> HttpResponse:
    """Return the picture of the profile of an account or a computer player."""
    with override(settings.LANGUAGE_CODE):
        text = _("A computer player") if user.is_bot else _("Plays on Quiver")
        card = PageCard(user.username, text, facts_of_card(BY_KEY[MAIN_GAME]))
    return _answer(request, card)


def facts_of_card(card: Card) -> Facts:
    """Return the position of a card after its last turn, as pictures draw it."""
    rules = rules_of(card.key)
    state, effects = rules.read(card.position), list[Effect]()
    for texts in card.last:
        acts = {role: rules.parse(text) for role, text in texts.items()}
        joint = assemble_joint(rules, state, acts)
        effects += rules.effects(state, joint, None)
        state = advance(rules, state, joint)
    return Facts(
        key=card.key,
        state=state,
        white=_("You"),
        black=_("Opponent"),
        winner=None,
        reason="",
        goals=(0, 0),
        slides=tuple((each.start, each.end) for each in effects if isinstance(each, Slide)),
        flights=tuple(_flights(effects)),
        clock="",
        turns=rules.turns(state),
    )


def _flights(effects: list[Effect]) -> Iterator[tuple[str, str]]:
    return ((each.start, each.at) for each in effects if isinstance(each, Place))


def _answer(request: HttpRequest, card: PageCard) -> HttpResponse:
    response: HttpResponse
    if card.tag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        try:
            response = HttpResponse(page_png(card), content_type="image/png")
        except RenderError as error:
            # Its request_id leads to the route; the address may have a name in it.
            log.error("picture_failed: a picture of a page could not be rendered: %s", error)
            return HttpResponse(status=503, headers={"Retry-After": str(RETRY_AFTER_S)})
    response["ETag"] = card.tag
    response["Cache-Control"] = f"public, max-age={MAX_AGE_S}"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"  # chats show it beside a link
    return response
