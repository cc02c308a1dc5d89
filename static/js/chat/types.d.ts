/** Types of the chat panel. */

interface MessageCommands {
  say(text: string): void;
  phrase(key: string): void;
  mute(name: string, on: boolean): void;
  block(name: string): void;
  report(line: number, reason: string): void;
  /** The form is left: the focus goes back to that message, or to the list. */
  leave(line: number | null): void;
}
