"""QR codes as SVG: inline in a page, or as an image of its own.

qrcode is imported by the functions: that takes 65 ms at every start of the site.
"""


def qr_svg(text: str) -> str:
    """Return a QR code as inline SVG, on the ground of the page."""
    import qrcode
    from qrcode.image.svg import SvgPathImage

    markup: bytes = qrcode.make(text, image_factory=SvgPathImage).to_string()
    return markup.decode()


def filled_qr_svg(text: str) -> bytes:
    """Return a QR code as an SVG image on white, with the quiet zone that readers need."""
    import qrcode
    from qrcode.image.svg import SvgPathFillImage

    markup: bytes = qrcode.make(text, image_factory=SvgPathFillImage).to_string()
    return markup
