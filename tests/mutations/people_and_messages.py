"""Mutations of chat, notices, pushes and mail: numbers 120 to 139."""

from tests.mutations.mutation import Mutation

PERMISSIONS = "site/chat/permissions.py"
POLICY = "site/notices/delivery/policy.py"

MUTATIONS = (
    Mutation(
        120,
        "spectators and players read each other's chat while the game runs",
        PERMISSIONS,
        '        if self.stage == "over" and self.is_watched:\n',
        "        if self.is_watched:\n",
        ("test_chat.py",),
    ),
    Mutation(
        121,
        "somebody whom a moderator has muted writes in chat",
        PERMISSIONS,
        "    if at < viewer.silent_until:\n",
        "    if at < viewer.silent_until < 0:\n",
        ("test_chat.py",),
    ),
    Mutation(
        122,
        "chat is not limited",
        "site/chat/chat_service.py",
        "    if full_at - at > BURST_LINES * REST_MS:\n",
        "    if full_at - at > FOREVER_MS:\n",
        ("test_chat.py",),
    ),
    Mutation(
        123,
        "a line that is sent again under its id is written twice",
        "site/chat/chat_service.py",
        "        if known := _find_repeat(author, id, text, phrase, place):\n"
        "            return known\n",
        "",
        ("test_chat.py", "test_chat_socket.py"),
    ),
    Mutation(
        124,
        "a moderator who may not change users suspends one",
        "site/chat/admin.py",
        "return [v for v in VERDICTS if v is not Verdict.SUSPEND or may_suspend]",
        "return [v for v in VERDICTS if v is not Verdict.SUSPEND or author]",
        ("test_report_admin.py",),
    ),
    Mutation(
        125,
        "staff who may only read reports decide them",
        "site/chat/admin.py",
        "        if not self.has_change_permission(request, report):\n            return []\n",
        "",
        ("test_report_admin.py", "test_admin_rights.py"),
    ),
    Mutation(
        126,
        "a push is sent while a page of the game is visible",
        POLICY,
        "return Drop.SEEN if facts.is_seen else None",
        "return None",
        ("test_post_policy.py",),
    ),
    Mutation(
        127,
        "a push is sent in quiet hours",
        POLICY,
        "    end = quiet_until(at)\n    if end is None or",
        "    end = quiet_until(at)\n    if end or",
        ("test_post_policy.py",),
    ),
    Mutation(
        128,
        "a push that was accepted is sent again",
        "site/notices/delivery/push_queue.py",
        '            rows.update(state=Post.State.SENT, sent=at, error="")\n',
        '            rows.update(sent=at, error="")\n',
        ("test_queue.py",),
    ),
    Mutation(
        129,
        "a mail that the server took is sent again",
        "site/notices/mail/sender.py",
        "    mail_queue.note_sent(mail, at)\n    return 1\n",
        "    return 1\n",
        ("test_mail_sender.py",),
    ),
    Mutation(
        130,
        "mail goes to an address that is not confirmed",
        "site/notices/mail/mail_queue.py",
        "rows = EmailAddress.objects.filter(user__in=users, verified=True)",
        "rows = EmailAddress.objects.filter(user__in=users)",
        ("test_mail_sender.py",),
    ),
    Mutation(
        131,
        "the notice of a turn stays open after the turn",
        "site/notices/derive/game_notices.py",
        "if notice.kind in TURN_KINDS and not (is_waiting and same_turn(notice.serial, serial))",
        "if notice.kind in TURN_KINDS and same_turn(notice.serial, serial) is None",
        ("test_derive_turns.py",),
    ),
    Mutation(
        132,
        "the moment of a notice tells whether the opponent has sealed",
        "site/notices/derive/game_notices.py",
        "for role in (ROLES if game.is_simultaneous else waiting_roles(game))",
        "for role in waiting_roles(game)",
        ("test_derive_secrecy.py",),
    ),
)
