"""Keys of web push: base64url, P-256 points, and the site's private key."""

import base64
import binascii
from typing import TYPE_CHECKING

# cryptography is imported where it is used: most requests do without, and it delays the start.
if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

PRIVATE_BYTES = 32
POINT_BYTES = 65  # an uncompressed point
AUTH_BYTES = 16
MAX_PADDING = 2  # signs


def encode_base64url(data: bytes) -> str:
    """Return base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode_base64url(text: str) -> bytes:
    """Return the bytes of a base64url text, padded or not. Raises ValueError."""
    bare = text.rstrip("=")
    if len(text) - len(bare) > MAX_PADDING:
        raise ValueError("too much padding")
    try:
        data = bare.encode("ascii").translate(bytes.maketrans(b"-_", b"+/"))
        if b"+" in bare.encode() or b"/" in bare.encode():
            raise ValueError("base64, not base64url")
        return base64.b64decode(data + b"=" * (-len(data) % 4), validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError("not base64url") from error


def check_client_keys(p256dh: str, auth: str) -> None:
    """Raise ValueError unless these are the keys of a browser: a point of P-256, and 16 bytes."""
    from cryptography.hazmat.primitives.asymmetric import ec

    point = decode_base64url(p256dh)
    if len(point) != POINT_BYTES:
        raise ValueError("p256dh has another length")
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    if len(decode_base64url(auth)) != AUTH_BYTES:
        raise ValueError("auth has another length")


def make_private() -> str:
    """Return a new private key: 32 bytes in base64url."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encode_base64url(number.to_bytes(PRIVATE_BYTES, "big"))


def parse_private(text: str) -> "EllipticCurvePrivateKey":
    """Return the P-256 key of a PEM text, or of 32 bytes or DER in base64url. Raises ValueError.

    In one line of an environment file, the line ends of PEM may be written as `\\n`.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    curve = ec.SECP256R1()
    text = text.strip().replace("\\n", "\n")
    if text.startswith("-----"):
        key = serialization.load_pem_private_key(text.encode(), None)
    else:
        data = decode_base64url(text)
        if len(data) == PRIVATE_BYTES:
            return ec.derive_private_key(int.from_bytes(data, "big"), curve)
        key = serialization.load_der_private_key(data, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != curve.name:
        raise ValueError("not a P-256 key")
    return key


def public_text(key: "EllipticCurvePrivateKey") -> str:
    """Return the public key as browsers take it: the uncompressed point in base64url."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return encode_base64url(point)
