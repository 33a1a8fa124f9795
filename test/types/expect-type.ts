/** Whether two types are the same, `any` and `never` told apart. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only when the type argument is `true`: `expectType<Equal<ToolInput<typeof t>, { a: string }>>()`. */
export function expectType<_Holds extends true>(): void {}
