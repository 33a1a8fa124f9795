/** Of every tool that changes files. */
export interface EditingToolOptions {
  /** Whether a call waits for a person. Default false: the sandbox is the boundary, an `ask` rule asks. */
  needsApproval?: boolean;
}
