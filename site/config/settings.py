"""Settings of the site; machine-specific values come from the environment (`config.env`)."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from assets.static_root import SHARED_FOLDER, check_static_folder
from config.backing_services import (
    NO_MAIL,
    caches,
    channel_layers,
    database,
    mail_settings,
)
from config.env import read_environment
from config.logs import logging_settings
from config.private_files import make_database_private, make_private_folder, secret_key
from config.push import validate_push_hosts, validate_vapid
from server.local_hosts import LOCAL
from server.requests.origins import resolve_origin, site_origins, validate_hosts, validate_origins

BASE_DIR = Path(__file__).resolve().parents[2]
environment = read_environment(os.environ)  # lower case: debug pages show no setting of that kind
DATA_DIR = Path(environment.data or BASE_DIR / ".data")
NUMBA_CACHE_DIR = Path(environment.numba_cache_dir or DATA_DIR / "numba")
HAS_OWN_SECRET = bool(environment.secret)
HAS_OWN_DATABASE = bool(environment.database_url)
try:
    if HAS_OWN_SECRET and HAS_OWN_DATABASE:  # then nothing private lies there
        DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    else:
        make_private_folder(DATA_DIR)
except OSError as error:
    raise ImproperlyConfigured(f"QUIVER_DATA cannot be a folder: {error}") from None

SECRET_KEY = environment.secret or secret_key(DATA_DIR / "secret")
SECRET_KEY_FALLBACKS = list(environment.secret_fallbacks)
BOTS = environment.bots
NOTICES = environment.notices
VAPID = validate_vapid(environment.vapid)
FURTHER_PUSH_HOSTS = validate_push_hosts(list(environment.push_hosts))
EXHIBITION = environment.exhibition
PONDER = environment.ponder
DEBUG = environment.debug
TLS = environment.tls
ADMIN_PATH = "" if environment.admin == "off" else environment.admin  # empty: no admin
METRICS = environment.metrics
# Functions that take the ids of ended games, in the order in which they follow the end of a game.
ENDED_GAME_FOLLOW_UPS = [
    "ratings.rules.applier.apply_ended_games",
    "ratings.ladder.ladder_applier.apply_ended_games",
    "ratings.placing.closing.close_after_games",
    "analysis.explorer.counting.count_ended_games",
    "puzzles.miner_task.queue_ended_games",
]
# Classes that follow users and their sessions, in the order in which they are called.
ACCOUNT_OBSERVERS = [
    "pages.account_events.SocketObserver",
    "notices.push.devices.DeviceObserver",
    "chat.chat_service.ChatObserver",
    "lobby.lobbies.challenges.ChallengeObserver",
]
# Functions that take slugs of games and return those that must be kept.
GAME_RETENTION_RULES = [
    "chat.chat_service.reported_games",
    "ratings.rules.entry_log.games_with_entry",
]
RATING_SOURCE = "ratings.play_source.StoredRatings"  # of the ratings shown beside names
GAME_CACHE_BYTES = environment.game_cache * 2**20
CHAT = environment.talk
OPERATOR_NAME = environment.operator_name.strip()
OPERATOR_EMAIL = environment.operator_email
OPERATOR_ADDRESS = [line.strip() for line in environment.operator_address.split(";")]
SOURCE_URL = environment.source_url
NAMED_HOSTS = validate_hosts(list(environment.hosts))
ALLOWED_HOSTS = NAMED_HOSTS or LOCAL
PORT = environment.port
SCHEME = "https" if TLS else "http"
NAMED_ORIGIN = environment.origin.strip()
FURTHER_ORIGINS = validate_origins(list(environment.origins))
ORIGIN = resolve_origin(NAMED_ORIGIN, FURTHER_ORIGINS, ALLOWED_HOSTS, PORT, TLS)
SITE_ORIGINS = site_origins(ORIGIN, FURTHER_ORIGINS, ALLOWED_HOSTS, PORT, TLS)

INSTALLED_APPS = [
    "accounts.admin_apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "assets.apps.AssetsConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "config",
    "pages",
    "puzzles",
    "analysis",
    "notices",
    "chat",
    "bots",
    "watch",
    "lobby",
    "ratings",
    "pictures",
    "play",
    "accounts",
]

MIDDLEWARE = [
    "server.requests.security_headers.Headers",
    "django.middleware.security.SecurityMiddleware",
    "server.requests.accept_encoding.accept_encoding",
    "assets.static_middleware.StaticFilesMiddleware",
    "server.requests.hosts.HostPortMiddleware",
    "server.requests.redirects.LocalRedirectMiddleware",
    "server.requests.reject_nul.RejectNulMiddleware",
    "accounts.people.guests.GuestNonceMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "server.requests.rate_limit_middleware.limit_cpu_time",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.login.authentication.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.login.suspended_requests.SuspendedRequestMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "lobby.offers.visits.VisitMiddleware",
    "ratings.fair_play.sighting_middleware.SightingMiddleware",
    "server.requests.refused_requests.MethodNotAllowedMiddleware",
    "server.requests.rate_limit_middleware.RateLimitMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "libraries": {"modules": "assets.module_tag"},
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.template_context.site",
                "config.languages.script_texts",
                "pages.header_context.mine",
                "notices.inbox.bell_context.bell",
                "accounts.restorable.page_session",
            ],
        },
    },
]

DATABASES = {"default": database(environment, DATA_DIR)}
if not HAS_OWN_DATABASE:
    make_database_private(DATABASES["default"]["NAME"])
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = environment.redis_url

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "accounts.login.backends.NameOrEmailBackend",
    "django.contrib.auth.backends.ModelBackend",  # the sessions of guests name it
]
PASSWORD_HASHERS = [
    "accounts.login.backends.BoundedArgon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "email")},
    },
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignUp",
    "login": "accounts.forms.SignIn",
    "change_password": "accounts.forms.ChangePassword",
    "reset_password": "accounts.forms.ResetPassword",
    "reset_password_from_key": "accounts.forms.ResetPasswordKey",
    "add_email": "accounts.forms.AddEmail",
    "reauthenticate": "accounts.forms.Reauthenticate",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*", "email"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"  # sign-up never reveals whether an address is known
ACCOUNT_CHANGE_EMAIL = True  # one address each
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # an address opens the account: it takes the password
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # guests may sign in; `accounts.views` decides
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = SCHEME
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300  # s; the admin takes changes as long after a code
MFA_ADAPTER = "accounts.two_factor.adapter.TwoFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "accounts.two_factor.forms.Authenticate",
    "reauthenticate": "accounts.two_factor.forms.Reauthenticate",
    "activate_totp": "accounts.two_factor.forms.ActivateTotp",
}
MFA_TOTP_PERIOD = 30  # s
MFA_TOTP_TOLERANCE = 1  # periods by which a phone's clock may be off; RFC 6238 advises one
# An address is optional and proves nothing, so an unconfirmed one does not prevent a second factor.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# A school class comes from one address. `accounts.login.login_attempts` counts wrong passwords and
# codes of a second factor; allauth's own count, `login_failed`, is that of such codes by network.
ACCOUNT_RATE_LIMITS = {
    "signup": "40/m/ip,300/h/ip",
    "login": "60/m/ip",
    "login_failed": "10/m/ip",
    # Not by address, as allauth has it: strangers would use up the mails of its owner.
    "reset_password": "20/m/ip",
    "confirm_email": "20/m/ip",
}
PROXIES = int(TLS) if environment.proxies is None else environment.proxies
CACHES = caches(REDIS_URL)  # holds the counts of the rate limits
CHANNEL_LAYERS = channel_layers(REDIS_URL)  # carries hints between web processes
globals().update(mail_settings(environment.mail_url, environment.mail_from))
SENDS_MAIL = environment.mail_url != NO_MAIL
SESSION_ENGINE = "accounts.login.sessions"  # stores digests; Django's table stays empty
SESSION_COOKIE_AGE = 365 * 24 * 3600  # a guest's seat lasts as long as his cookie
HOST_ONLY = "__Host-" if TLS else ""  # browsers take such a cookie from this very host only
SESSION_COOKIE_NAME = f"{HOST_ONLY}sessionid"
CSRF_FAILURE_VIEW = "server.requests.refused_requests.csrf_failure"
CSRF_COOKIE_NAME = f"{HOST_ONLY}csrftoken"
DEVICES_COOKIE_NAME = f"{HOST_ONLY}devices"  # of users who have logged in here before
GUEST_NONCE_COOKIE_NAME = f"{HOST_ONLY}guest-nonce"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = TLS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TLS else None
SECURE_SSL_REDIRECT = TLS
SECURE_SSL_HOST = urlsplit(ORIGIN).netloc if TLS else None
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if TLS else 0
# This site does not decide whether other hosts of the domain use TLS.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if TLS else None
FILE_UPLOAD_DIRECTORY_PERMISSIONS = SHARED_FOLDER  # of collected static files; nobody uploads any
X_FRAME_OPTIONS = "DENY"
WHITENOISE_ALLOW_ALL_ORIGINS = False

STATIC_URL = "static/"
STATIC_ROOT = Path(environment.static or DATA_DIR / "static")
if environment.static:
    check_static_folder(STATIC_ROOT, (DATA_DIR, BASE_DIR))
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "assets.script_texts.ScriptTextsFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "assets.manifest_storage.AssetStorage"},
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("tr", "Türkçe")]
LOCALE_PATHS = [BASE_DIR / "site" / "config" / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

LOGGING = logging_settings(environment.log, environment.access_log)
