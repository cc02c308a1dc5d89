"""`manage.py resetpush`: make another key for push, which ends all push subscriptions."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from notices.models import PushDevice, VapidKey


class Command(BaseCommand):
    """Deletes the stored key and all devices, whose subscriptions belong to that key."""

    help = "Forgets the key of push notifications and all devices, after a loss of QUIVER_SECRET."

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            count = PushDevice.objects.count()
            PushDevice.objects.all().delete()
            VapidKey.objects.all().delete()
        self.stdout.write(f"{count} devices were removed. Restart the site: it makes a new key.")
