/**
 * A policy that cannot be trusted to say what its author meant. Thrown when it is loaded, so that a host never
 * starts with fewer rules than were written. `message` names the place and the fix.
 */
export class PolicyError extends Error {
  static {
    PolicyError.prototype.name = 'PolicyError';
  }
}

/** A rule string that does not parse; `position` counts characters from 0. */
export class RuleSyntaxError extends PolicyError {
  readonly rule: string;
  readonly position: number;

  static {
    RuleSyntaxError.prototype.name = 'RuleSyntaxError';
  }

  constructor(rule: string, position: number, problem: string) {
    super(`Cannot parse the rule '${rule}' at position ${position}: ${problem}`);
    this.rule = rule;
    this.position = position;
  }
}
