/** Elements with class and attributes. */

export function make(tag, className, attributes = {}, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== "") made.textContent = text;
  return made;
}
