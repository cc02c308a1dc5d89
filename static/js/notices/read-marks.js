/** Marks notifications as read on the server, from where all pages of the reader hear of it. */

/**
 * Sends read marks: `["id", 7]` for one notification, `["subject", "SLUG"]` for those of a game. A mark
 * that is lost is sent with the next opening of the sheet.
 *
 * @param {[string, string][]} fields
 */
export async function postRead(fields) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  if (!(token instanceof HTMLInputElement)) return;
  try {
    await fetch("/notifications/read/", {
      method: "POST",
      body: new URLSearchParams([["csrfmiddlewaretoken", token.value], ...fields]),
      headers: { Accept: "application/json" },
      redirect: "error",
      keepalive: true,
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network
  }
}
