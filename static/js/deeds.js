/**
 * Sends a page's forms without leaving the page: the answer says where to go, what stands now, or
 * why not. A form that a script cannot send is sent by the browser itself.
 */

function bodyOf(form, submitter) {
  const body = new FormData(form);
  if (submitter?.name) body.append(submitter.name, submitter.value);
  return new URLSearchParams(body);
}

/**
 * The answer to a form: {next, frame, you, refused}; null if it got lost on the way. What is no
 * answer of that kind is left to the browser, which sends the form again and shows the page.
 */
export async function send(form, submitter) {
  let answer;
  try {
    answer = await fetch(form.getAttribute("action"), {
      method: "POST",
      body: bodyOf(form, submitter),
      headers: { Accept: "application/json" },
      redirect: "error",
    });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
  if (answer.headers.get("Content-Type") === "application/json") return answer.json();
  form.submit();
  return new Promise(() => {});
}
