"""Page on which people write their bio and choose their country."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.forms import SiteForm
from accounts.public_profile.bio_text import MAX_BIO_CHARS, clean_bio
from accounts.public_profile.countries import country_names
from accounts.public_profile.details import Details, read_details, save_details


class BioField(forms.CharField):
    """A text area for a bio."""

    def to_python(self, value: Any) -> str:
        """Return the bio as stored. Raise ValidationError."""
        return clean_bio(super().to_python(value) or "")


class DetailsForm(SiteForm, forms.Form):
    """Form of the bio and the country; both are optional."""

    bio = BioField(
        label=gettext_lazy("About you"),
        required=False,
        strip=False,
        # Browsers count an emoji as two.
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": 2 * MAX_BIO_CHARS}),
    )
    country = forms.ChoiceField(label=gettext_lazy("Country"), required=False)
    helps = {"bio": gettext_lazy("Plain text, at most 300 characters. Links aren’t clickable.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bio"].widget.attrs.update(autocapitalize="sentences", spellcheck="true")
        none = ("", pgettext_lazy("a country", "Not shown"))
        self.fields["country"].choices = [none, *country_names().items()]  # type: ignore[attr-defined]
        self.fields["country"].widget.attrs.update(autocomplete="country")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit_details(request: HttpRequest) -> HttpResponse:
    """Show or save the form; redirect guests and visitors, who have no profile, to the settings."""
    user = request.user
    if not user.is_authenticated or not user.is_account:
        return redirect("settings")
    if request.method != "POST":
        kept = read_details(user.pk)
        form = DetailsForm(initial={"bio": kept.bio, "country": kept.country})
        return render(request, "accounts/details.html", {"form": form})
    form = DetailsForm(request.POST)
    if not form.is_valid():
        return render(request, "accounts/details.html", {"form": form}, status=400)
    if not save_details(user.pk, Details(**form.cleaned_data)):
        return redirect("settings")
    messages.success(request, _("Saved."))
    return redirect(user.get_absolute_url())
