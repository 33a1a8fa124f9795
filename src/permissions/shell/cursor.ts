/** Deeper nesting than this of quotes, substitutions and groups is not followed. */
const MAX_NESTING = 40;

/** A place in the text of one script, and what went wrong on the way. */
export class Cursor {
  readonly text: string;
  position = 0;
  unreadable = false;
  #nesting = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  peek(offset = 0): string {
    return this.text[this.position + offset] ?? '';
  }

  startsWith(token: string): boolean {
    return this.text.startsWith(token, this.position);
  }

  /** Moves past `token` when it is next. */
  take(token: string): boolean {
    if (!this.startsWith(token)) return false;
    this.position += token.length;
    return true;
  }

  /** What a sticky expression matches here; moves past it. */
  takeMatch(expression: RegExp): string | undefined {
    expression.lastIndex = this.position;
    const matched = expression.exec(this.text)?.[0];
    if (matched !== undefined) this.position += matched.length;
    return matched;
  }

  /** Gives up on the rest: nothing after this place is known. */
  giveUp(): void {
    this.unreadable = true;
    this.position = this.text.length;
  }

  /** Runs one level deeper, or gives up when that is too deep. */
  nested(read: () => void): void {
    if (this.#nesting >= MAX_NESTING) {
      this.giveUp();
      return;
    }
    this.#nesting += 1;
    read();
    this.#nesting -= 1;
  }
}
