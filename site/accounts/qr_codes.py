"""QR codes as SVG: inline in a page, or as an image of its own."""

import qrcode
from qrcode.image.svg import SvgPathFillImage, SvgPathImage


def qr_svg(text: str) -> str:
    """Return a QR code as inline SVG, on the ground of the page."""
    markup: bytes = qrcode.make(text, image_factory=SvgPathImage).to_string()
    return markup.decode()


def filled_qr_svg(text: str) -> bytes:
    """Return a QR code as an SVG image on white, with the quiet zone that readers need."""
    markup: bytes = qrcode.make(text, image_factory=SvgPathFillImage).to_string()
    return markup
