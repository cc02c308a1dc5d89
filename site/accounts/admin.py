"""Users in the admin: search by name, suspend, restore; passwords and addresses stay hidden."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from accounts.account_service import restore, save_renamed, suspend
from accounts.login.revocations import log_out_user
from accounts.models import User
from accounts.people.name_claims import check_free
from accounts.public_profile.details import delete_details

admin.site.unregister([EmailAddress, Authenticator])
RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")


class UserForm(forms.ModelForm):  # type: ignore[type-arg]
    """Form of a user; a name must not look like that of another account."""

    def clean_username(self) -> str:
        """Return the name. Raise ValidationError if it is not free."""
        name = str(self.cleaned_data["username"])
        check_free(name, self.instance)
        return name


@admin.register(User)
class UserAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Admin of users, without adding and deleting: people sign up, and games keep their seats."""

    list_display = ("username", "is_active", "is_guest", "is_bot", "is_staff", "date_joined")
    list_filter = ("is_active", "is_guest", "is_bot", "is_staff")
    search_fields = ("username__istartswith",)
    ordering = ("-pk",)
    form = UserForm
    fields = ("username", "is_active", *RIGHTS, "is_guest", "is_bot", "date_joined")
    filter_horizontal = ("groups", "user_permissions")
    actions = ("suspend", "restore", "remove_details")
    list_per_page = 50
    show_full_result_count = False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Whether a query string may filter by a lookup: only by the fields of the filters shown.

        Django allows every field of the model: `?email__startswith=` and `?password__startswith=`
        would reveal addresses and password hashes letter by letter.
        """
        return lookup.split(LOOKUP_SEP)[0] in self.list_filter

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list under the plain name of its rows."""
        title = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, {**title, **(extra_context or {})})

    def view_on_site(self, obj: User) -> str | None:
        """Return the URL of the profile; None for guests, who have none."""
        return obj.get_absolute_url() or None

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Return the read-only fields; only superusers may change rights."""
        fixed = ("is_guest", "is_bot", "date_joined")
        return fixed if request.user.is_superuser else (*fixed, *RIGHTS)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: people sign up; `createsuperuser` makes the first member of staff."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return False: suspending is enough, and keeps the games of others whole."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Whether the user may be changed; only superusers change staff and superusers."""
        may = super().has_change_permission(request, obj)
        is_staff = obj is not None and (obj.is_staff or obj.is_superuser)
        return may and (request.user.is_superuser or not is_staff)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save the changed columns only, so that a suspension or a new password of the same moment
        is not overwritten.

        End the user's sessions if `is_staff` or `is_superuser` changed: a session that began before
        lasts a year and knows no second factor. Permissions are read with each request.
        """
        columns = {field.name for field in obj._meta.concrete_fields}
        columns &= set(form.changed_data)
        if "username" in columns:
            save_renamed(obj, columns)
        else:
            obj.save(update_fields=columns)
        if "is_active" in form.changed_data:
            (restore if obj.is_active else suspend)(obj.pk)
        if {"is_staff", "is_superuser"} & set(form.changed_data):
            log_out_user(obj.pk)

    @admin.action(
        description=_("Suspend: log out everywhere and block sign-in"), permissions=["change"]
    )
    def suspend(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Suspend the selected users that this staff member may change, except the staff member."""
        for user in users.exclude(pk=request.user.pk):  # type: ignore[misc]
            if self.has_change_permission(request, user):
                suspend(user.pk)

    @admin.action(description=_("Remove bio and country"), permissions=["change"])
    def remove_details(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Remove bio and country of the selected users that this staff member may change."""
        for user in users:
            if self.has_change_permission(request, user):
                delete_details(user.pk)
                self.log_change(request, user, "bio and country removed")

    @admin.action(description=_("Restore: allow sign-in again"), permissions=["change"])
    def restore(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Restore the selected users."""
        for user in users:
            if self.has_change_permission(request, user):
                restore(user.pk)
