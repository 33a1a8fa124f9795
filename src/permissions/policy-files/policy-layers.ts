import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { PolicyInput } from '../policy.js';
import { type CheckedRule, checkRules } from '../rules/check-rules.js';
import type { RuleEffect } from '../rules/rule.js';
import { readPolicyFile } from './policy-file.js';

/** Who wrote rules, from the least to the most particular. Deny and ask rules hold from every layer. */
export type LayerName = 'managed' | 'user' | 'project' | 'session';

/** The rules of one layer: lists, or a file. */
export interface Layer {
  name: LayerName;
  input: PolicyInput;
}

export interface ReadLayers {
  rules: readonly CheckedRule[];
  default: RuleEffect;
  warnings: readonly string[];
  /** Policy files inside the workspace, relative to it. */
  filesInside: readonly string[];
}

export interface LayerOptions {
  source?: string;
  hostRoot: string | undefined;
  trustProject?: boolean;
  layers?: readonly Layer[];
}

const STRICTNESS: readonly RuleEffect[] = ['allow', 'ask', 'deny'];

/**
 * Puts layers together. Of several defaults the strictest counts; a project that is not trusted may only tighten: its
 * `allow` rules and a laxer default are left out, which a warning says.
 * @throws PolicyError for a layer that is not understood
 */
export function readLayers(input: PolicyInput, options: LayerOptions): ReadLayers {
  const own: Layer = { name: layerOf(input, options.hostRoot), input };
  const read = [...(options.layers ?? []), own].map((layer) =>
    readLayer(layer, layer === own ? options.source : undefined, options),
  );
  const warnings = read.flatMap(({ warnings: found }) => found);
  const defaults = read.flatMap(({ default: effect }) => effect ?? []);
  return {
    rules: read.flatMap(({ rules }) => rules),
    default: STRICTNESS.findLast((effect) => defaults.includes(effect)) ?? 'allow',
    warnings,
    filesInside: read.flatMap(({ fileInside }) => fileInside ?? []),
  };
}

/** A policy file inside the workspace belongs to the project, whoever names it. */
function layerOf(input: PolicyInput, hostRoot: string | undefined): LayerName {
  return typeof input === 'string' && insideOf(input, hostRoot) !== undefined ? 'project' : 'session';
}

function readLayer(
  { name, input }: Layer,
  source: string | undefined,
  { hostRoot, trustProject = false }: LayerOptions,
): { rules: CheckedRule[]; default?: RuleEffect; warnings: string[]; fileInside?: string } {
  const fileInside = typeof input === 'string' ? insideOf(input, hostRoot) : undefined;
  const place = source ?? (typeof input === 'string' ? `${name}:${fileInside ?? input}` : 'options');
  const checked = checkRules(typeof input === 'string' ? readPolicyFile(input) : input, place);
  const inside = fileInside === undefined ? {} : { fileInside };
  // Where a guest may write, it could have written any layer's file. The machine's was checked: only root writes it.
  const isProject = name === 'project' || (fileInside !== undefined && name !== 'managed');
  if (!isProject || trustProject) {
    const effect = checked.hasDefault ? { default: checked.default } : {};
    return { rules: checked.rules, ...effect, warnings: checked.warnings, ...inside };
  }
  const kept = checked.rules.filter(({ rule }) => rule.effect !== 'allow');
  const left = checked.rules.length - kept.length;
  const tightens = checked.hasDefault && checked.default !== 'allow';
  const warning =
    left === 0
      ? []
      : [
          `${left} allow ${left === 1 ? 'rule' : 'rules'} of ${place} left out: the project is not trusted (trustProject)`,
        ];
  return {
    rules: kept,
    ...(tightens ? { default: checked.default } : {}),
    warnings: [...checked.warnings, ...warning],
    ...inside,
  };
}

/** The file's place in the workspace, by its name or by where its links lead; `undefined` when it is outside. */
function insideOf(file: string, hostRoot: string | undefined): string | undefined {
  if (hostRoot === undefined) return undefined;
  const named = below(hostRoot, resolve(file));
  return named ?? below(realPath(hostRoot), realPath(resolve(file)));
}

function below(root: string, file: string): string | undefined {
  const path = relative(root, file);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? undefined : path;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
