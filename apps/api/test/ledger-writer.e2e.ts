import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refusal } from '@yiqiao/domain/errors';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { CommandEnded } from '../src/platform/idempotency.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { LedgerPurchases } from './support/ledger-purchases.js';
import { createLedgerFixture, usage, type LedgerFixture } from './support/ledger-fixture.js';

const codeOf = (error: unknown): string => (error instanceof Refusal ? error.code : String(error));
const code = (doing: Promise<unknown>): Promise<string> => doing.then(() => 'ok', codeOf);

describe('the ledger writer', () => {
  let fixture: LedgerFixture;
  let purchases: LedgerPurchases;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
    purchases = await LedgerPurchases.open(fixture);
  });
  afterAll(async () => {
    expect((await auditLedger(fixture.owner)).difference).toBeNull();
    await fixture.drop();
  });

  const translate = (userId: number, codePoints: number, id = uuid7()): Promise<string> => {
    const to = { id, userId, familyId: userId };
    const { ledger } = fixture;
    return code(ledger.hold({ ...to, ask: { kind: 'text', codePoints } }).then(() => ledger.settle({ ...to, usage })));
  };
  const lines = async (userId: number): Promise<unknown[]> => {
    const { rows } = await fixture.owner.query<Record<string, unknown>>(
      'SELECT status, charged, word_count, entry_seq FROM translation_log WHERE user_id = $1 ORDER BY usage_seq',
      [userId],
    );
    return rows;
  };

  it('gives 60 concurrent translations exactly the 20 that the balance can pay', async () => {
    const userId = await fixture.member({ charChange: 20 * 7 });
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => translate(userId, 7)));
    expect(outcomes.filter((o) => o === 'ok')).toHaveLength(20);
    expect(outcomes.filter((o) => o === 'QUOTA_NOT_ENOUGH')).toHaveLength(40);
    expect(await fixture.ledger.balanceOf(userId)).toMatchObject({ usableCharNum: 0, usedCharTotal: 140 });
  });

  it('charges once per id, however often it is repeated, at once or later', async () => {
    const userId = await fixture.member({ charChange: 1000 });
    const id = uuid7();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => translate(userId, 9, id)));
    expect(new Set([...outcomes, await translate(userId, 9, id)])).toEqual(new Set(['ok']));
    expect((await fixture.ledger.balanceOf(userId)).usableCharNum).toBe(991);
    expect(await lines(userId)).toHaveLength(1);
  });

  it('rejects an id reused for another command, and an id of another member', async () => {
    const [userId, stranger] = [await fixture.member({ charChange: 100 }), await fixture.member({ charChange: 100 })];
    const to = { id: uuid7(), userId, familyId: userId };
    const theirs = { id: to.id, userId: stranger, familyId: stranger };
    await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 5 } });
    expect(await code(fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 6 } }))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(await code(fixture.ledger.settle({ ...theirs, usage }))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await code(fixture.ledger.release({ ...theirs, usage }))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await fixture.ledger.settle({ ...to, usage })).toEqual({ charged: 5, entrySeq: 2 });
    expect(await fixture.ledger.settle({ ...to, usage: { ...usage, ip: '198.51.100.1' } })).toEqual({
      charged: 5,
      entrySeq: 2,
    });
    expect(await code(fixture.ledger.hold({ ...to, ask: { kind: 'image' } }))).toBe('IDEMPOTENCY_KEY_REUSED');
    // It is paid: whoever asks for less of it must not begin another command.
    const less = fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 4 } });
    await expect(less).rejects.not.toBeInstanceOf(CommandEnded);
    expect(await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 5 } })).toMatchObject({
      state: 'settled',
    });
    expect(await fixture.ledger.release({ ...to, usage })).toEqual({ state: 'settled' });
    expect((await fixture.ledger.balanceOf(userId)).usableCharNum).toBe(95);
  });

  it('returns the existing hold for a repeated command when the balance is exhausted', async () => {
    const userId = await fixture.member({ charChange: 100 });
    const [settled, open] = [uuid7(), uuid7()].map((id) => ({ id, userId, familyId: userId }));
    if (!settled || !open) throw new Error('unreachable');
    await fixture.ledger.hold({ ...settled, ask: { kind: 'text', codePoints: 20 } });
    await fixture.ledger.hold({ ...open, ask: { kind: 'text', codePoints: 60 } });
    await fixture.ledger.settle({ ...settled, usage });
    // Ended holds are not cached: the account is read again, without its open holds.
    expect(await fixture.ledger.hold({ ...settled, ask: { kind: 'text', codePoints: 20 } })).toMatchObject({
      state: 'settled',
    });
    expect(await fixture.ledger.hold({ ...open, ask: { kind: 'text', codePoints: 60 } })).toMatchObject({
      state: 'held',
    });
    expect(await code(fixture.ledger.hold({ ...open, id: uuid7(), ask: { kind: 'text', codePoints: 60 } }))).toBe(
      'QUOTA_NOT_ENOUGH',
    );
  });

  it('releases the hold of a failed channel, with a failed log line and without an entry', async () => {
    const userId = await fixture.member({ charChange: 100 });
    const to = { id: uuid7(), userId, familyId: userId };
    await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 60 } });
    expect((await fixture.ledger.balanceOf(userId)).usableCharNum).toBe(40);
    await fixture.ledger.release({ ...to, usage });
    await fixture.ledger.release({ ...to, usage });
    expect(await fixture.ledger.balanceOf(userId)).toMatchObject({ usableCharNum: 100, usedCharTotal: 0 });
    expect(await lines(userId)).toEqual([{ status: 2, charged: 0, word_count: 60, entry_seq: null }]);
    expect(await code(fixture.ledger.settle({ ...to, usage }))).toBe('IDEMPOTENCY_KEY_REUSED');
    const again = fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 60 } });
    await expect(again).rejects.toBeInstanceOf(CommandEnded);
  });

  it('logs a free gloss without an entry', async () => {
    const userId = await fixture.member({ charChange: 10 });
    const note = { id: uuid7(), userId, familyId: userId, codePoints: 4, usage, free: 'gloss' as const };
    await fixture.ledger.note(note);
    await fixture.ledger.note(note);
    expect(await lines(userId)).toEqual([{ status: 1, charged: 0, word_count: 4, entry_seq: null }]);
    expect((await fixture.ledger.balanceOf(userId)).usableCharNum).toBe(10);
  });

  it('settles voice as minutes, a picture as one image, and text in time mode as usage only', async () => {
    const userId = await purchases.memberInTimeMode({ charChange: 10, voiceChange: 3, imageChange: 1 });
    const to = (): { id: string; userId: number; familyId: number } => ({ id: uuid7(), userId, familyId: userId });
    const [text, voice, image] = [to(), to(), to()];
    await fixture.ledger.hold({ ...text, ask: { kind: 'text', codePoints: 5000 } });
    await fixture.ledger.hold({ ...voice, ask: { kind: 'voice', minutes: 2 } });
    await fixture.ledger.hold({ ...image, ask: { kind: 'image' } });
    expect(await code(fixture.ledger.hold({ ...to(), ask: { kind: 'image' } }))).toBe('QUOTA_NOT_ENOUGH');
    expect(await fixture.ledger.settle({ ...text, usage })).toEqual({ charged: 0, entrySeq: 5 });
    expect(await fixture.ledger.settle({ ...voice, usage })).toEqual({ charged: 2, entrySeq: 6 });
    expect(await fixture.ledger.settle({ ...image, usage })).toEqual({ charged: 1, entrySeq: 7 });
    expect(await fixture.ledger.balanceOf(userId)).toMatchObject({
      usableCharNum: 10,
      usableVoiceNum: 1,
      usableImageNum: 0,
      usedCharTotal: 5000,
    });
  });

  it('refuses an expired package; a sub-account expires with its main account', async () => {
    const main = await fixture.member({ charChange: 10 });
    await fixture.post(main, { type: 'SYS_ADJUST', expireAt: Date.now() - 1000 });
    const child = await fixture.member({ charChange: 10 }, main);
    const hold = { ask: { kind: 'text', codePoints: 1 } } as const;
    expect(await code(fixture.ledger.hold({ id: uuid7(), userId: main, familyId: main, ...hold }))).toBe(
      'PACKAGE_EXPIRED',
    );
    expect(await code(fixture.ledger.hold({ id: uuid7(), userId: child, familyId: main, ...hold }))).toBe(
      'PACKAGE_EXPIRED',
    );
    await fixture.post(main, { type: 'SYS_ADJUST', expireAt: Date.now() + 60_000 });
    expect(await code(fixture.ledger.hold({ id: uuid7(), userId: child, familyId: main, ...hold }))).toBe('ok');
    expect(await fixture.ledger.balanceOf(child)).toMatchObject({ usableCharNum: 9, tranChannelId: 1 });
    expect(await code(fixture.ledger.hold({ id: uuid7(), userId: child, familyId: child, ...hold }))).toBe('NOT_FOUND');
  });

  it('charges a late settlement again if it can be paid, and refuses it if not', async () => {
    const userId = await fixture.member({ charChange: 10 });
    const [late, tooLate] = [uuid7(), uuid7()].map((id) => ({ id, userId, familyId: userId }));
    for (const to of [late, tooLate]) {
      if (!to) continue;
      await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 8 } });
      await fixture.ledger.release({ ...to, usage: null }); // as the sweep does
    }
    if (!late || !tooLate) throw new Error('unreachable');
    expect(await fixture.ledger.settle({ ...late, usage })).toMatchObject({ charged: 8 });
    expect(await code(fixture.ledger.settle({ ...tooLate, usage }))).toBe('QUOTA_NOT_ENOUGH');
    expect((await fixture.ledger.balanceOf(userId)).usableCharNum).toBe(2);
    // A released hold may be repeated under its old id if it reserves something.
    await fixture.post(userId, { type: 'SYS_ADJUST', charChange: 6 });
    expect(await fixture.ledger.hold({ ...tooLate, ask: { kind: 'text', codePoints: 8 } })).toMatchObject({
      state: 'held',
    });
    expect(await fixture.ledger.settle({ ...tooLate, usage })).toMatchObject({ charged: 8 });
  });

  it('charges the delivered part of a text, releases the rest, and repeats the same result', async () => {
    const userId = await fixture.member({ charChange: 1000 });
    const to = { id: uuid7(), userId, familyId: userId };
    const ask = { kind: 'text', codePoints: 50, charNum: 300 } as const;
    const delivered = { codePoints: 20, charNum: 121, of: 300 };
    expect(await fixture.ledger.hold({ ...to, ask })).toMatchObject({ state: 'held', quota: { charNum: 300 } });
    expect((await fixture.ledger.balanceOf(userId)).usableCharNum).toBe(700);
    const first = { charged: 121, entrySeq: 2 };
    expect(await fixture.ledger.settle({ ...to, usage, delivered })).toEqual(first);
    expect(await fixture.ledger.balanceOf(userId)).toMatchObject({ usableCharNum: 879, usedCharTotal: 20 });
    expect(await lines(userId)).toEqual([{ status: 1, charged: 121, word_count: 20, entry_seq: 2 }]);
    expect(await fixture.ledger.settle({ ...to, usage })).toEqual(first);
    expect(await fixture.ledger.settle({ ...to, usage, delivered: { ...delivered, charNum: 300 } })).toEqual(first);
    expect(await fixture.ledger.hold({ ...to, ask })).toMatchObject({ state: 'settled', quota: { charNum: 121 } });
    expect(await fixture.ledger.release({ ...to, usage })).toEqual({ state: 'settled' });
    // The delivered part cannot belong to a shorter text or to a picture.
    for (const other of [{ kind: 'text', codePoints: 19 }, { kind: 'image' }] as const)
      expect(await code(fixture.ledger.hold({ ...to, ask: other }))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await fixture.ledger.balanceOf(userId)).usableCharNum).toBe(879);
  });

  it('charges late only for delivered texts, if the balance allows', async () => {
    const userId = await fixture.member({ charChange: 100 });
    const ask = { kind: 'text', codePoints: 90 } as const;
    const late = async (): Promise<{ id: string; userId: number; familyId: number }> => {
      const to = { id: uuid7(), userId, familyId: userId };
      await fixture.ledger.hold({ ...to, ask });
      await fixture.ledger.release({ ...to, usage: null }); // as the sweep does
      return to;
    };
    const [one, two] = [await late(), await late()];
    const part = (codePoints: number) => ({ usage, delivered: { codePoints, charNum: codePoints, of: 90 } });
    expect(await fixture.ledger.settle({ ...one, ...part(40) })).toMatchObject({ charged: 40 });
    expect(await code(fixture.ledger.settle({ ...two, ...part(61) }))).toBe('QUOTA_NOT_ENOUGH');
    expect(await fixture.ledger.settle({ ...two, ...part(60) })).toMatchObject({ charged: 60 });
    expect(await fixture.ledger.balanceOf(userId)).toMatchObject({ usableCharNum: 0, usedCharTotal: 100 });
  });

  it('counts a partial delivery in time mode and charges nothing', async () => {
    const userId = await purchases.memberInTimeMode({ charChange: 10 });
    const to = { id: uuid7(), userId, familyId: userId };
    await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 50, charNum: 30 } });
    const delivered = { codePoints: 20, charNum: 13, of: 30 };
    expect(await fixture.ledger.settle({ ...to, usage, delivered })).toMatchObject({ charged: 0 });
    expect(await fixture.ledger.balanceOf(userId)).toMatchObject({ usableCharNum: 10, usedCharTotal: 20 });
  });

  it('refuses to settle more than was held, and leaves the hold and other commands alone', async () => {
    const [userId, other] = [await fixture.member({ charChange: 100 }), await fixture.member({ charChange: 100 })];
    const to = { id: uuid7(), userId, familyId: userId };
    await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 10 } });
    const settle = (codePoints: number, charNum: number): Promise<string> =>
      code(fixture.ledger.settle({ ...to, usage, delivered: { codePoints, charNum, of: 10 } }));
    const outcomes = await Promise.all([settle(11, 10), translate(other, 7), settle(10, 11), translate(other, 8)]);
    expect(outcomes).toEqual([expect.stringMatching(/^RangeError/), 'ok', expect.stringMatching(/^RangeError/), 'ok']);
    expect((await fixture.ledger.balanceOf(userId)).usableCharNum).toBe(90);
    expect(await settle(10, 10)).toBe('ok');
  });

  it('logs the failed and the charged texts of a batch once', async () => {
    const userId = await fixture.member({ charChange: 10 });
    const note = { id: uuid7(), userId, familyId: userId, codePoints: 4, usage };
    for (let i = 0; i < 2; i++) await fixture.ledger.note({ ...note, free: null });
    expect(await code(fixture.ledger.note({ ...note, free: 'gloss' }))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await lines(userId)).toEqual([{ status: 2, charged: 0, word_count: 4, entry_seq: null }]);
  });

  it('refuses only the command with an invalid address, not its neighbours', async () => {
    const userId = await fixture.member({ charChange: 1000 });
    const ids = Array.from({ length: 40 }, () => ({ id: uuid7(), userId, familyId: userId }));
    await Promise.all(ids.map((to) => fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 1 } })));
    const outcomes = await Promise.all(
      ids.map((to, i) =>
        code(fixture.ledger.settle({ ...to, usage: i === 17 ? { ...usage, ip: 'not an address' } : usage })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(39);
    expect(outcomes[17]).toMatch(/invalid input syntax for type inet/);
    const poisoned = ids[17];
    if (poisoned) await fixture.ledger.release({ ...poisoned, usage });
  });

  it('handles 200 accounts at once', async () => {
    const users = await Promise.all(Array.from({ length: 200 }, () => fixture.member({ charChange: 30 })));
    const outcomes = await Promise.all(users.flatMap((userId) => [1, 2, 3, 4].map(() => translate(userId, 10))));
    expect(outcomes.filter((o) => o === 'ok')).toHaveLength(600);
    expect(outcomes.filter((o) => o === 'QUOTA_NOT_ENOUGH')).toHaveLength(200);
  });
});
