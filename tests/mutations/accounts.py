"""Mutations of accounts, sessions and relations between people: numbers 80 to 99."""

from tests.mutations.mutation import Mutation

SERVICE = "site/accounts/account_service.py"

MUTATIONS = (
    Mutation(
        80,
        "wrong passwords are not limited",
        "site/accounts/login/login_attempts.py",
        "        if not quota.take():\n            Attempt(",
        "        if not quota.take() and number < 0:\n            Attempt(",
        ("test_login_attempts.py",),
    ),
    Mutation(
        81,
        "a known device is one of every user",
        "site/accounts/login/known_devices.py",
        'value = f"{id} {user.pk} {user.get_session_auth_hash()}"',
        'value = f"{id}"',
        ("test_login_attempts.py",),
    ),
    Mutation(
        82,
        "the parameter `next` leads to another site",
        "site/accounts/site_links.py",
        'return text.startswith("/") and url_has_allowed_host_and_scheme(text, allowed_hosts=None)',
        'return text.startswith("/")',
        ("test_refused_requests.py", "test_accounts.py", "test_mail_links.py"),
    ),
    Mutation(
        83,
        "a redirect to another host is sent",
        "site/server/requests/redirects.py",
        "        if location is None or leads_to(location, None):\n",
        "        if location is None or leads_to:\n",
        ("test_absolute_links.py",),
    ),
    Mutation(
        84,
        "a log-out does not revoke the session: its sockets go on",
        "site/accounts/login/revocations.py",
        "        observer.session_ended(digest)\n    write_revocation(session=digest)\n",
        "        observer.session_ended(digest)\n",
        ("test_revocations.py",),
    ),
    Mutation(
        85,
        "a suspended user stays logged in",
        SERVICE,
        "        User.objects.filter(pk=user_id).update(is_active=False)\n"
        "        log_out_user(user_id)\n",
        "        User.objects.filter(pk=user_id).update(is_active=False)\n",
        ("test_revocations.py", "test_user_admin.py"),
    ),
    Mutation(
        86,
        "the name of a deleted user is still shown",
        SERVICE,
        "        username=name,\n        skeleton=None,\n",
        "        skeleton=None,\n",
        ("test_account_data.py",),
    ),
    Mutation(
        87,
        "the e-mail address of a deleted user is kept",
        SERVICE,
        "    EmailAddress.objects.filter(user=user_id).delete()\n    Authenticator",
        "    Authenticator",
        ("test_account_data.py", "test_sign_up.py"),
    ),
    Mutation(
        88,
        "staff enter the admin without a second factor",
        "site/accounts/login/staff_access.py",
        "        return Step.ENROL\n",
        "        return None\n",
        ("test_staff.py",),
    ),
    Mutation(
        89,
        "staff change rows long after their last code",
        "site/accounts/login/staff_access.py",
        "return age < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT",
        "return age < SESSION_S",
        ("test_staff.py",),
    ),
    Mutation(
        90,
        "a block holds in one direction only",
        "site/accounts/people/blocks.py",
        "between = Q(blocker=one_id, blocked=other_id) | Q(blocker=other_id, blocked=one_id)",
        "between = Q(blocker=one_id, blocked=other_id)",
        ("test_challenges.py", "test_relations.py"),
    ),
    Mutation(
        91,
        "a socket opens with a session whose password has been changed",
        "site/accounts/login/socket_users.py",
        "    if not _has_valid_hash(data, user):\n",
        "    if not _has_valid_hash:\n",
        ("test_socket_authentication.py",),
    ),
    Mutation(
        92,
        "a log-in with the right password takes no mailed code after very many wrong ones",
        "site/accounts/login/login_attempts.py",
        "    if BY_USER_A_DAY.of(user.pk).read_count() < MAX_WRONG_A_DAY:\n",
        "    if BY_USER_A_DAY.of(user.pk).read_count() < UNBOUNDED_COUNT:\n",
        ("test_login_code.py",),
    ),
)
