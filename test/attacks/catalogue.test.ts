import { describe, expect, it } from 'vitest';
import { readAttackCases } from './attack-case.js';
import { ATTACK_GROUPS } from './groups.js';
import { NOT_YET } from './not-yet.js';

const lines = readAttackCases();
const attackedIds = Object.values(ATTACK_GROUPS).flatMap((attacks) => Object.keys(attacks));
const waitingIds = NOT_YET.filter((entry) => entry.half === undefined).map((entry) => entry.id);

describe('the catalogue of attacks', () => {
  it('holds the 128 cases for the isolate and the host, each once', () => {
    expect(lines).toHaveLength(128);
    expect(new Set(lines.map((line) => line.id)).size).toBe(128);
  });

  for (const { id } of lines) {
    it(`${id} is carried out or said to wait, not both`, () => {
      const carriedOut = attackedIds.filter((attacked) => attacked === id).length;
      const waiting = waitingIds.filter((waits) => waits === id).length;
      expect(carriedOut + waiting).toBe(1);
    });
  }

  it('has no attack and no entry of the waiting list without a line', () => {
    const known = new Set(lines.map((line) => line.id));
    const listed = [...attackedIds, ...NOT_YET.map((entry) => entry.id)];
    expect(listed.filter((id) => !known.has(id))).toEqual([]);
  });

  it('attacks the other half of every case of which a half waits', () => {
    const halves = NOT_YET.filter((entry) => entry.half !== undefined);
    expect(halves.filter((entry) => !attackedIds.includes(entry.id))).toEqual([]);
  });

  for (const { id, half, waitsFor } of NOT_YET) {
    it.todo(`${id}${half === undefined ? '' : ` (${half})`} waits for ${waitsFor}`);
  }
});
