import { intrinsics } from './intrinsics.js';

type Code = () => Promise<unknown>;

/**
 * Code is an expression, and its value is the result; or else the body of an async function, whose `return` is. Both
 * may `await`. `this` is the global object.
 * @throws SyntaxError when it is neither
 */
export function compile(code: string): { run: Code; isExpression: boolean } {
  const expression = withoutTrailingSemicolons(code);
  if (expression !== '') {
    try {
      // In an object of our own, so that a result with a `then` is data and not a promise to wait for.
      return { run: newFunction(`return{__proto__:null,value:(${expression}\n)}`), isExpression: true };
    } catch {
      // Then it is a body.
    }
  }
  return { run: newFunction(code), isExpression: false };
}

function newFunction(body: string): Code {
  const made = new intrinsics.AsyncFunction(body);
  return () => intrinsics.apply(made, globalThis, []) as Promise<unknown>;
}

function withoutTrailingSemicolons(code: string): string {
  let end = code.length;
  while (end > 0 && (code[end - 1] === ';' || code[end - 1] === ' ' || code[end - 1] === '\n')) end -= 1;
  return intrinsics.apply(intrinsics.slice, code, [0, end]);
}
