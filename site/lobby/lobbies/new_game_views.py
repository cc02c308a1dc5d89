"""Views of the forms that create a public game, an invitation or a challenge."""

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.people.guests import user_of
from accounts.people.name_claims import NameTaken, suggest_name
from accounts.people.names import NAME, friendly, normalize_name
from accounts.public_profile.person_pages import page_of_person
from accounts.refusal_responses import render_form
from accounts.refusals import Refused
from games.catalogue import RULES
from games.counting import may_be_counted
from lobby.forms import OptionsForm, choices_of, initial_values, values_of
from lobby.lobbies import challenges, lobby_checks, lobby_service
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from play.game_texts import RULES_TEXTS
from play.models import Game
from play.time_controls import PRESETS, clock_value


@require_safe
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """Shows the form for a public game, with the game of `?game=` preselected."""
    key = request.GET.get("game", "")
    chosen = initial_values(key if key in PRESETS else next(iter(PRESETS)))
    if getattr(request.user, "is_account", False):  # a stranger has no such attribute
        chosen["rated"] = "yes"
    return form_page(request, chosen)


@require_safe
@never_cache
def friend(request: HttpRequest) -> HttpResponse:
    """Shows the form for an invitation, with game and clock as the visitor last chose them.

    `?to=NAME`: redirects to the form for a challenge to that person.
    """
    if to := request.GET.get("to", ""):
        return _redirect_to_challenge(request, to)
    return form_page(request, _initial_invitation(request))


def _initial_invitation(request: HttpRequest) -> dict[str, str]:
    """Returns the game of `?game=`, else the last one; the last clock if it is a preset of it."""
    last = lobby_service.last_options(request.user) if request.user.is_authenticated else None
    asked = request.GET.get("game", "")
    key = asked if asked in PRESETS else last.rules if last else next(iter(PRESETS))
    if key not in PRESETS:  # it is no longer offered
        key = next(iter(PRESETS))
    chosen = initial_values(key, "link")
    if last is not None and last.rules == key and last.clock in PRESETS[key]:
        chosen["clock"] = values_of(last)["clock"]
    return chosen


@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """Creates a lobby; a stranger becomes a guest only if the form is valid.

    The same form sent twice leads to one lobby, or to its game if that has started meanwhile.
    """
    posted = request.POST.dict()
    try:
        options = OptionsForm(posted).options()
        # Refuse before a guest account is created in vain.
        lobby_checks.check_may_play(options, request.user)
        made = lobby_service.create(posted_user(request), options)
    except Refused as refused:
        return form_page(request, posted, refused)
    return redirect(next_url(made))


def posted_user(request: HttpRequest) -> User:
    """Returns the user of a POST; a stranger becomes a guest under the posted name, if any.

    Raises Refused for a name that a guest cannot have; then no guest is created.
    """
    try:
        return user_of(request, request.POST.get("name", ""))
    except NameTaken as taken:
        free = shown_guest_name(request)
        another = _("How about {name}?").format(name=free)
        raise Refused(LobbyReason.NAME, f"{taken.messages[0]} {another}", name=free) from taken
    except ValidationError as error:
        name = shown_guest_name(request)
        raise Refused(LobbyReason.NAME, str(error.messages[0]), name=name) from error


def next_url(here: Lobby) -> Lobby | Game:
    """Returns the target of the redirect after a change: the running game, else the lobby."""
    if here.status == Lobby.Status.PLAYING and here.game is not None:
        return here.game
    return here


def form_page(
    request: HttpRequest, chosen: dict[str, str], refused: Refused | None = None
) -> HttpResponse:
    """Renders the form for a game; the one for an invitation if `page` or visibility says so."""
    asked = chosen.get("game", "")
    key = asked if asked in PRESETS else next(iter(PRESETS))
    is_invitation = chosen.get("page", chosen.get("visibility")) in ("friend", "link")
    context = {
        "chosen": {"watch": "yes", "rated": "no", "counted": "yes", **chosen, "game": key},
        "choices": choices_of(key),
        "has_counting": may_be_counted(RULES[key]),
        "words": RULES_TEXTS[key],
        "is_invitation": is_invitation,
        "guest_name": shown_guest_name(request),
    }
    return render_form(request, "lobby/new.html", context, refused)


def shown_guest_name(request: HttpRequest) -> str:
    """Returns the name in the name field of a visitor; empty for users, who have a name.

    In place of a posted name that is taken it is one that is free.
    """
    if request.user.is_authenticated:
        return ""
    name = normalize_name(request.POST.get("name", "").strip())
    return suggest_name(name) if NAME.fullmatch(name) else name or friendly()


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@page_of_person
def challenge(request: HttpRequest, person: User) -> HttpResponse:
    """Shows the form with the game of `?game=` preselected; a POST opens the lobby.

    A stranger becomes a guest only with a valid form. A GET reveals nothing about blocks.
    """
    name = person.username
    if person.is_bot:
        raise Http404
    if request.method != "POST":
        return _challenge_form(request, name, request.GET.get("game", ""))
    posted = request.POST.dict()
    try:
        options = OptionsForm({**posted, "visibility": "link"}).options()
        challenges.find_challenged(request.user.pk, name)
        lobby_checks.check_may_play(options, request.user)
        made = challenges.challenge(user_of(request), name, options)
    except Refused as refused:
        return _challenge_form(request, name, posted.get("game", ""), refused)
    return redirect(made)


def _redirect_to_challenge(request: HttpRequest, name: str) -> HttpResponse:
    """Redirects to the form for a challenge to the account with a name."""
    if not NAME.fullmatch(name):
        raise Http404
    game = request.GET.get("game", "")
    response = redirect("challenge", name)
    if game in PRESETS:
        response["Location"] += f"?{urlencode({'game': game})}"
    return response


def _challenge_form(
    request: HttpRequest, name: str, game: str, refused: Refused | None = None
) -> HttpResponse:
    key = game if game in PRESETS else next(iter(PRESETS))
    context = {
        "name": name,
        "key": key,
        "side": "lot",
        "clock": clock_value(PRESETS[key][0]),
        "choices": choices_of(key),
        "words": RULES_TEXTS[key],
        "rated": request.POST.get("rated", "no"),
        "counted": request.POST.get("counted", "yes"),
        "has_counting": may_be_counted(RULES[key]),
    }
    return render_form(request, "lobby/challenge.html", context, refused)
