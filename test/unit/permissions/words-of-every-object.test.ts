import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/permissions/policy.js';
import { proposeAllowRules } from '../../../src/permissions/propose-allow-rules.js';

const NAMES = Object.getOwnPropertyNames(Object.prototype);
const FORMS = [
  ...[
    'NAME',
    'NAME a',
    './NAME a',
    'NAME --NAME=x -NAME',
    'xargs NAME',
    'npx NAME a',
    'busybox NAME y',
    'sudo -NAME x',
  ],
  ...['git NAME a', 'git -NAME a', 'git --NAME=a NAME', 'git config NAME x', 'npm NAME NAME a', 'docker --NAME x NAME'],
  ...[
    'python NAME',
    'python -m NAME x',
    'awk NAME x',
    'sed -NAME x',
    'tar NAME x',
    'find . -NAME x',
    'env NAME=1 NAME',
  ],
  ...['cat x | NAME', 'NAME x > y', 'NAME=1 ls', 'uniq --NAME x', 'cargo NAME NAME', 'sort --NAME', 'ssh -o NAME=x y'],
];
const asked = NAMES.flatMap((name) => FORMS.map((form) => form.replaceAll('NAME', name)));

const call = (command: string) => ({ toolName: 'shell', args: { command } });

describe('words that are names of what every object has', () => {
  it('are words like any other, wherever they stand', () => {
    const all = parsePolicy({ allow: ['shell(*)'], default: 'ask' });
    for (const command of asked) {
      const other = NAMES.reduce((text, name) => text.replaceAll(name, 'zqx'), command);
      expect([command, all.decide(call(command)).effect]).toEqual([command, all.decide(call(other)).effect]);
      expect([command, all.explain(call(command)).unknown]).toEqual([command, all.explain(call(other)).unknown]);
      expect(() => proposeAllowRules(call(command))).not.toThrow();
    }
  });

  it('are met by the rules that name them, and by no others', () => {
    for (const name of NAMES) {
      expect(parsePolicy({ deny: [`shell(${name}:*)`] }).decide(call(`${name} a`)).effect).toBe('deny');
      expect(parsePolicy({ deny: [`shell(git ${name}:*)`] }).decide(call(`git ${name} a`)).effect).toBe('deny');
      expect(parsePolicy({ deny: [`shell(tool --${name}:*)`] }).decide(call(`tool a --${name}`)).effect).toBe('deny');
      const others = parsePolicy({
        deny: ['shell(rm:*)', 'read_file(.env)'],
        allow: [`shell(${name}:*)`],
        default: 'ask',
      });
      expect(others.decide(call(`${name} a`)).effect).toBe('allow');
      expect(others.decide(call(`ls ${name}`)).effect).toBe('ask');
    }
  });
});

describe('a check that fails', () => {
  const failing = {
    toolName: 'shell',
    args: {
      get command(): string {
        throw new Error('of /home/someone');
      },
    },
  };

  it('denies the call, and tells nothing of the failure', () => {
    const policy = parsePolicy({ allow: ['shell(ls:*)'] });
    const decision = policy.decide(failing);
    expect(decision).toMatchObject({ effect: 'deny', certainty: 'could be', rule: { text: 'permission check' } });
    expect(policy.explain(failing)).toMatchObject({ decision: 'deny', rule: decision.rule, considered: [] });
    expect(JSON.stringify([decision, policy.explain(failing)])).not.toContain('someone');
  });
});
