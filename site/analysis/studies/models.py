"""The table of studies: trees of turns that accounts keep and share. Times are epoch ms."""

from typing import Final, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from lobby.models import new_code
from play.models import Game

MAX_TITLE_CHARS: Final = 80


class StudyQuerySet(models.QuerySet["Study", "Study"]):
    """Named queries of studies."""

    def of(self, user_id: int | None) -> Self:
        """Return the studies of a user."""
        return self.filter(owner=user_id)

    def visible_to(self, user_id: int | None) -> Self:
        """Return those that a user (None: a visitor) may see by their link."""
        shared = Q(is_hidden=False, owner__is_active=True)
        shared &= ~Q(visibility=Study.Visibility.PRIVATE)
        return self.filter(shared if user_id is None else shared | Q(owner=user_id))

    def public(self) -> Self:
        """Return those that are listed for everyone."""
        return self.filter(
            visibility=Study.Visibility.PUBLIC, is_hidden=False, owner__is_active=True
        )

    def without_trees(self) -> Self:
        """Leave out the trees, which lists do not show."""
        return self.defer("tree")


class Study(models.Model):
    """A tree of turns of one rule set. `rev` grows by one with every change, which swaps on it."""

    class Visibility(models.TextChoices):
        """The audience of a study besides its owner."""

        PRIVATE = "private", _("Only you")
        LINK = "link", _("Anyone with the link")
        PUBLIC = "public", _("Everyone (listed)")

    slug = models.CharField(max_length=32, unique=True, default=new_code)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="studies")
    title = models.CharField(max_length=MAX_TITLE_CHARS)
    rules = models.CharField(max_length=32)
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+")
    tree = models.TextField(default="[]")  # see `study_tree.write_tree`
    turn_count = models.IntegerField(default=0)
    visibility = models.CharField(max_length=7, choices=Visibility, default=Visibility.PRIVATE)
    is_hidden = models.BooleanField(_("hidden"), default=False)  # by a moderator
    rev = models.IntegerField(default=1)
    created = models.BigIntegerField()
    updated = models.BigIntegerField()

    objects = StudyQuerySet.as_manager()

    class Meta:
        verbose_name = _("study")
        verbose_name_plural = _("studies")
        indexes = [
            models.Index(fields=["owner", "-updated"], name="study_of_owner"),
            models.Index(
                fields=["rules", "-updated", "-id"],
                name="study_public",
                condition=Q(visibility="public", is_hidden=False),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return reverse("study", args=[self.slug])

    @property
    def is_shared(self) -> bool:
        """Whether anyone besides the owner may see it; the owner's row has to be loaded."""
        is_open = self.visibility != self.Visibility.PRIVATE and not self.is_hidden
        return is_open and self.owner.is_active
