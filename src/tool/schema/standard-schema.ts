/**
 * The parts of the Standard Schema and Standard JSON Schema interfaces that a tool's schema needs, restated
 * structurally so that any version of any library fits.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** A Standard Schema that can also say itself as JSON Schema (ArkType, zod 4 classic, Valibot's `toStandardJsonSchema`). */
export interface StandardJsonSchema<Input = unknown, Output = Input> extends StandardSchema<Input, Output> {
  readonly '~standard': StandardSchema<Input, Output>['~standard'] & {
    readonly jsonSchema: {
      readonly input: (options: { target: 'draft-07' }) => Record<string, unknown>;
      readonly output: (options: { target: 'draft-07' }) => Record<string, unknown>;
    };
  };
}

/** `issues` decides: some libraries give a `value` beside it on failure. */
export interface StandardResult<Output> {
  readonly value?: Output;
  readonly issues?: readonly StandardIssue[] | undefined;
}

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
