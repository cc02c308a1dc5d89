"""The site's settings; what differs between machines comes from the environment.

QUIVER_DATA     folder of the database, the secret and the collected static files (default .data);
                only the user who runs the site may enter it
QUIVER_STATIC   folder of the collected static files, for a proxy that reads them (default: static,
                in QUIVER_DATA)
DATABASE_URL    postgres://user:password@host/name (default: SQLite in QUIVER_DATA)
QUIVER_POOL     connections to PostgreSQL that one process may open (default 8)
REDIS_URL       redis://:password@host:6379/0, for several web processes (default: one process)
QUIVER_SECRET   Django's secret key (default: made once, kept in QUIVER_DATA)
QUIVER_HOSTS    host names answered to, separated by commas (default: this machine only)
QUIVER_ORIGIN   scheme, host and port that links in mails and invitations begin with
                (default: the first of QUIVER_ORIGINS that fits; else https with QUIVER_TLS or http,
                the first of QUIVER_HOSTS and the port)
QUIVER_ORIGINS  further origins of the site, with scheme and port: their pages may open a websocket,
                and a Host header may name their ports
QUIVER_PORT     the port that the default origins name (default 8000)
QUIVER_TLS      1: behind a proxy that ends TLS; cookies are Secure
QUIVER_PROXIES  proxies of ours before this server, whose X-Forwarded-For counts (TLS: 1, else 0)
QUIVER_TALK     0: no talk in lobbies and games
QUIVER_BOTS     processes that `serve` starts to think for the computer players (default 1)
QUIVER_EXHIBITION 0: no games between computer players to watch
QUIVER_ADMIN    path of the pages for staff, such as /keepers-7f3a/; off: there are none
                (default /admin/)
QUIVER_DEBUG    1: Django's debug pages
QUIVER_LOG      line: log for people (default); json: for programs, one object a line
QUIVER_ACCESS_LOG 0: no line for each request and each closed websocket
QUIVER_METRICS  port of 127.0.0.1 on which Prometheus finds the figures of this process
QUIVER_MAIL_URL how mail is sent, such as smtps://user:password@host; off: none is sent; console: it
                is printed (the default, but refused with QUIVER_TLS or QUIVER_HOSTS)
QUIVER_MAIL_FROM the address it comes from
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.addresses import LOCAL
from config.admin_path import admin_path
from config.database import database
from config.logs import logging_settings
from config.mail import mail_settings, sends_mail
from config.numbers import switch, whole
from config.origins import resolve_origin, site_origins, validate_hosts, validate_origins
from config.private_files import (
    SHARED_FOLDER,
    check_static_folder,
    make_database_private,
    make_private_folder,
)
from config.secret import secret_key
from config.shared import caches, channel_layers, redis_url

BASE_DIR = Path(__file__).resolve().parents[2]
DATA_DIR = Path(os.environ.get("QUIVER_DATA") or BASE_DIR / ".data")
HAS_OWN_SECRET = bool(os.environ.get("QUIVER_SECRET"))
HAS_OWN_DATABASE = bool(os.environ.get("DATABASE_URL"))
try:
    if HAS_OWN_SECRET and HAS_OWN_DATABASE:  # then nothing private lies there
        DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    else:
        make_private_folder(DATA_DIR)
except OSError as error:
    raise ImproperlyConfigured(f"QUIVER_DATA cannot be a folder: {error}") from None


def listed(name: str, default: str = "") -> list[str]:
    """The comma-separated values of an environment variable, without blanks."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


SECRET_KEY = os.environ.get("QUIVER_SECRET") or secret_key(DATA_DIR / "secret")
BOTS = whole(os.environ, "QUIVER_BOTS", 1)
EXHIBITION = switch(os.environ, "QUIVER_EXHIBITION", True)
DEBUG = switch(os.environ, "QUIVER_DEBUG", False)
TLS = switch(os.environ, "QUIVER_TLS", False)
ADMIN_PATH = admin_path(os.environ)  # empty: no admin
METRICS = whole(os.environ, "QUIVER_METRICS", 0)
TALK = switch(os.environ, "QUIVER_TALK", True)
NAMED_HOSTS = listed("QUIVER_HOSTS")
ALLOWED_HOSTS = validate_hosts(NAMED_HOSTS) or LOCAL
PORT = whole(os.environ, "QUIVER_PORT", 8000, least=1)
SCHEME = "https" if TLS else "http"
NAMED_ORIGIN = os.environ.get("QUIVER_ORIGIN", "").strip()
FURTHER_ORIGINS = validate_origins(listed("QUIVER_ORIGINS"))
ORIGIN = resolve_origin(NAMED_ORIGIN, FURTHER_ORIGINS, ALLOWED_HOSTS, PORT, TLS)
SITE_ORIGINS = site_origins(ORIGIN, FURTHER_ORIGINS, ALLOWED_HOSTS, PORT, TLS)

INSTALLED_APPS = [
    "accounts.admin_apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "config",
    "pages",
    "talk",
    "bots",
    "lobby",
    "play",
    "accounts",
]

MIDDLEWARE = [
    "config.access_log.note_route",
    "config.policy.Headers",
    "django.middleware.security.SecurityMiddleware",
    "config.storage.StaticFiles",
    "config.hosts.HostPortMiddleware",
    "config.redirects.LocalRedirectMiddleware",
    "config.plain.PlainText",
    "accounts.guest_nonce.GuestNonceMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.suspended_requests.SuspendedRequestMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.patience.Patience",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
                "config.texts.texts",
                "pages.context.mine",
            ],
        },
    },
]

DATABASES = {"default": database(os.environ, DATA_DIR)}
if not HAS_OWN_DATABASE:
    make_database_private(DATABASES["default"]["NAME"])
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = redis_url(os.environ)
CHANNEL_LAYERS = channel_layers(os.environ)

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "accounts.backends.Door",
    "django.contrib.auth.backends.ModelBackend",  # the sessions of guests name it
]
PASSWORD_HASHERS = [
    "accounts.hashers.BoundedArgon2",
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
ACCOUNT_PREVENT_ENUMERATION = "strict"  # signing up never tells whose address is known here
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
# An address is optional here and proves nothing: nobody is kept out of it by a second factor.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# A school class comes from one address. `accounts.login_attempts` counts wrong passwords and codes
# of a second factor; allauth's own count, `login_failed`, is that of such codes by network.
ACCOUNT_RATE_LIMITS = {
    "signup": "40/m/ip,300/h/ip",
    "login": "60/m/ip",
    "login_failed": "10/m/ip",
}
PROXIES = whole(os.environ, "QUIVER_PROXIES", int(TLS))
CACHES = caches(os.environ)  # holds the counts of the rate limits
globals().update(mail_settings(os.environ))
SENDS_MAIL = sends_mail(os.environ)
SESSION_ENGINE = "accounts.sessions"  # stores digests; Django's table stays empty
SESSION_COOKIE_AGE = 365 * 24 * 3600  # a guest's seat lasts as long as his cookie
HOST_ONLY = "__Host-" if TLS else ""  # browsers take such a cookie from this very host only
SESSION_COOKIE_NAME = f"{HOST_ONLY}sessionid"
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
# Whether the domain's other hosts speak TLS is not for this site to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if TLS else None
FILE_UPLOAD_DIRECTORY_PERMISSIONS = SHARED_FOLDER  # of collected static files; nobody uploads any
X_FRAME_OPTIONS = "DENY"
WHITENOISE_ALLOW_ALL_ORIGINS = False

STATIC_URL = "static/"
STATIC_ROOT = Path(os.environ.get("QUIVER_STATIC") or DATA_DIR / "static")
if os.environ.get("QUIVER_STATIC"):
    check_static_folder(STATIC_ROOT, (DATA_DIR, BASE_DIR))
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "config.collected.LinkedFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.LinkedStorage"},
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("tr", "Türkçe")]
LOCALE_PATHS = [BASE_DIR / "site" / "config" / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

LOGGING = logging_settings(os.environ)
