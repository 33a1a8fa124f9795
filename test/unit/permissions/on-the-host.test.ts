import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/permissions/policy.js';

const HOME = homedir();
const WS = `${HOME}/ws`;
const DENY = ['read_file(.env)', 'read_file(**/.env)', 'read_file(~/.ssh/**)', 'read_file(/secret.txt)'];

function decided(toolName: string, args: object, backend: 'none' | 'docker' = 'none'): string {
  const policy = parsePolicy({ deny: DENY }, { backend: { name: backend }, workspace: WS });
  return policy.decide({ toolName, args }).effect;
}

describe('Where commands run on the host, a deny rule', () => {
  it.each([
    ...[`cat ${WS}/.env`, 'cat ~/ws/.env', 'cat "$HOME/ws/.env"', 'cd ~/ws && cat .env', 'cat ../ws/.env'],
    ...['cat ~/ws/secret.txt', 'cat ../ws/secret.txt', 'cd .. && cat ws/secret.txt', 'cd src; cat ../secret.txt'],
    ...['cat ../.ssh/id', `cat ${HOME}/.ssh/id`, 'cd; cat .ssh/id', 'cat ~/.ssh/id', 'cat /home/agent/.ssh/id'],
    ...['cat ../other/.env', 'cat /other/.env', 'cd /srv/app && cat .env', 'cat /srv/*/.env'],
  ])('is met by %s', (command) => {
    expect(decided('shell', { command })).toBe('deny');
  });

  it.each(['../ws/.env', '~/ws/.env', '~/ws/secret.txt', '../.ssh/id', '~/.ssh/id', `${HOME}/.ssh/id`, '/other/.env'])(
    'is met by a file tool at %s',
    (path) => {
      expect(decided('read_file', { path })).toBe('deny');
    },
  );

  it.each([
    ...[
      'cat ../secret.txt',
      'cat /etc/hosts',
      'cat ../other/a',
      'cd .. && cat b',
      'cat ~/notes.txt',
      'cd sub/.. && ls',
    ],
  ])('is not met by %s', (command) => {
    expect(decided('shell', { command })).toBe('allow');
  });

  it('is met by a link of the workspace that leaves it', () => {
    const policy = parsePolicy({ deny: DENY }, { backend: { name: 'none' }, workspace: WS });
    const call = { toolName: 'shell', args: { command: 'cat keys/id' } };
    expect(policy.decide(call, { links: { keys: '../.ssh' } }).effect).toBe('deny');
    expect(policy.decide(call, { links: { keys: '../other' } }).effect).toBe('allow');
  });

  it('about all files stays in the workspace', () => {
    const policy = parsePolicy({ deny: ['write_file(**)'] }, { backend: { name: 'none' }, workspace: WS });
    const effect = (command: string) => policy.decide({ toolName: 'shell', args: { command } }).effect;
    expect([effect('echo x > /dev/null'), effect('echo x > a'), effect('echo x > ../ws/a')]).toEqual([
      'allow',
      'deny',
      'deny',
    ]);
  });
});

describe('In a sandbox', () => {
  it.each([
    ['cat ../ws/secret.txt', 'allow'],
    ['cat ~/.ssh/id', 'deny'],
    ['cat /other/.env', 'allow'],
    ['cat .env', 'deny'],
  ])('the names of the host around the workspace mean nothing: %s', (command, effect) => {
    expect(decided('shell', { command }, 'docker')).toBe(effect);
  });
});
