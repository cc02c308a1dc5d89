/** Going to another page, once, though several messages may lead there. */

let isLeft = false;

/**
 * Goes to another page. The answer to a form and the next frame may both lead to it, and a second
 * navigation would abort the first. A page that comes back out of the browser's memory may leave again.
 *
 * @param {string} url
 */
export function leaveFor(url) {
  if (isLeft) return;
  isLeft = true;
  addEventListener("pageshow", () => {
    isLeft = false;
  });
  location.assign(url);
}
