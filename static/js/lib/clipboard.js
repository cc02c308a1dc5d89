/** The clipboard; browsers keep it to secure pages, and to readers who allow it. */

/**
 * Copies a text; returns whether it was copied. Where the clipboard is refused, `field`, which holds the
 * text, is marked and copied in the older way.
 *
 * @param {string} text
 * @param {HTMLInputElement | null} [field]
 */
export async function copyText(text, field = null) {
  if (navigator.clipboard && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error; // it is not allowed
    }
  }
  field?.focus();
  field?.select();
  return field !== null && document.execCommand("copy");
}
