import type { CommandRule, EnforcementPlan, PathRule } from '../../sandbox/plan.js';
import { presentFlags } from '../../sandbox/present-flags.js';
import type { HostPlace } from '../paths/call-path.js';
import { compilePathPattern, type PathPattern } from '../paths/path-pattern.js';
import { impliedOptions, typedNames } from '../shell/programs/program-names.js';
import { type CommandPattern, parseCommandPattern } from './command-pattern.js';
import type { PermissionRule } from './rule.js';
import { SHELL_TOOL } from './tool-names.js';

/** A rule ready to be asked. */
export interface CompiledRule {
  readonly rule: PermissionRule;
  /** As people wrote it. */
  readonly text: string;
  /** Where: `project:caisson.policy.json#deny[0]`. */
  readonly source: string;
  /** Its place among all rules: of two that match, the first is named. */
  readonly order: number;
  readonly commands: readonly CommandPattern[];
  readonly paths: readonly PathPattern[];
  /** What a sandbox can keep closed for a deny rule. */
  readonly plan: Required<EnforcementPlan>;
  /** Outside the workspace too a path rule may name something: that is not in the plan. */
  readonly insideWorkspace: boolean;
}

export interface RuleOrigin {
  text: string;
  source: string;
  order: number;
  hostRoot?: string | undefined;
  /** Where calls run on the host itself. */
  host?: HostPlace | undefined;
  /** A path stands for itself alone: what a person allowed of one call is no directory. */
  asWritten?: boolean;
}

export const NO_PLAN: Required<EnforcementPlan> = { denyRead: [], denyWrite: [], denyCommands: [] };

/** Builtins and keywords: they are the shell itself, no program is started. */
const BUILTINS = new Set(
  `. : alias bg break builtin caller cd command compgen complete compopt continue declare dirs disown enable eval exec exit
  export fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift
  shopt source suspend test times trap type typeset ulimit umask unalias unset wait [ [[ ]] ! { } (( case coproc do done
  elif else esac fi for function if in select then time until while`.split(/\s+/),
);

/** Compiles a checked rule. */
export function compileRule(
  rule: PermissionRule,
  { text, source, order, hostRoot, host, asWritten }: RuleOrigin,
): CompiledRule {
  const restricts = rule.effect !== 'allow';
  const paths = [rule.path ?? []]
    .flat()
    .map((path) => compilePathPattern(path, { restricts, hostRoot, host, asWritten }));
  const commands = rule.command === undefined ? [] : [parseCommandPattern(rule.command)];
  return {
    rule,
    text,
    source,
    order,
    commands,
    paths,
    plan: rule.effect === 'deny' ? planOf(rule, text, { paths, commands }) : NO_PLAN,
    insideWorkspace: paths.length > 0 && paths.every(({ globs }) => globs.length > 0),
  };
}

/** Whether a rule is about every call of its tool. */
export function coversWholeTool({ rule }: CompiledRule): boolean {
  const { tool, command, path, args, domain } = rule;
  if (path !== undefined || args !== undefined || domain !== undefined) return false;
  return command === undefined || (tool === SHELL_TOOL && command === '*');
}

/** Whether a command deny can be asked at the moment a program starts: of one program, in words. */
export function isProgramRule({ commands }: Pick<CompiledRule, 'commands'>): boolean {
  return commands.some(
    ({ program, text, operands }) =>
      program !== undefined &&
      text === undefined &&
      !BUILTINS.has(program) &&
      !program.includes('/') &&
      operands.every((word) => !word.includes('*')),
  );
}

function planOf(
  rule: PermissionRule,
  text: string,
  { paths, commands }: Pick<CompiledRule, 'paths' | 'commands'>,
): CompiledRule['plan'] {
  const reason = rule.reason === undefined ? {} : { reason: rule.reason };
  if (isProgramRule({ commands })) {
    const denyCommands = commands.flatMap(({ program = '', operands, flags, spellings }) =>
      typedNames(program).map(
        (name): CommandRule => ({
          program: name,
          operands,
          flags: [...flags].filter((flag) => !presentFlags(impliedOptions(name), spellings).has(flag)),
          names: spellings.names,
          ...(spellings.form === undefined ? {} : { form: spellings.form }),
          rule: text,
          ...reason,
        }),
      ),
    );
    return { ...NO_PLAN, denyCommands };
  }
  const rules = paths.flatMap(({ globs }) => globs).map((glob): PathRule => ({ glob, rule: text, ...reason }));
  if (rule.tool === 'read_file') return { ...NO_PLAN, denyRead: rules };
  if (rule.tool === 'write_file' || rule.tool === 'edit_file') return { ...NO_PLAN, denyWrite: rules };
  return NO_PLAN;
}
