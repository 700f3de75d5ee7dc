import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refusal } from '@yiqiao/domain/errors';
import fc from 'fast-check';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { createLedgerFixture, usage, type LedgerFixture } from './support/ledger-fixture.js';

/** An independent model of one account: plain sums without any code of the product. */
type Model = { free: number; used: number; open: Map<string, Asked>; lines: number };
/** So many code points at so many characters each. */
type Asked = { n: number; price: number };

type Step =
  | { do: 'hold'; n: number; price: number }
  | { do: 'settle' | 'partly' | 'release' | 'forget' | 'again'; which: number }
  | { do: 'recharge' | 'take'; n: number };

const askOf = ({ n, price }: Asked) =>
  ({ kind: 'text', codePoints: n, ...(price !== 1 && { charNum: n * price }) }) as const;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      n: fc.integer({ min: 1, max: 60 }),
      price: fc.constantFrom(1, 1, 3),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom<'settle' | 'partly' | 'release' | 'forget' | 'again'>(
        'settle',
        'partly',
        'release',
        'forget',
        'again',
      ),
      which: fc.nat(5),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('recharge' as const, 'take' as const),
      n: fc.integer({ min: 1, max: 80 }),
    }),
  },
);

describe('the ledger against an independent model', () => {
  let fixture: LedgerFixture;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
  });
  afterAll(() => fixture.drop());

  /** Takes the step in product and model, and compares whether it was granted. */
  const take = async (userId: number, model: Model, doing: Step): Promise<void> => {
    const { ledger } = fixture;
    const granted = (work: Promise<unknown>): Promise<boolean> =>
      work.then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refusal && error.code === 'QUOTA_NOT_ENOUGH') return false;
          throw error;
        },
      );
    if (doing.do === 'hold') {
      const id = uuid7();
      const { n, price } = doing;
      expect(await granted(ledger.hold({ id, userId, familyId: userId, ask: askOf(doing) }))).toBe(
        model.free >= n * price,
      );
      if (model.free < n * price) return;
      model.free -= n * price;
      model.open.set(id, { n, price });
    } else if (!('which' in doing)) {
      const change = doing.do === 'recharge' ? doing.n : -doing.n;
      const possible = model.free + change >= 0;
      expect(await granted(fixture.post(userId, { type: 'SYS_ADJUST', charChange: change }))).toBe(possible);
      if (possible) model.free += change;
    } else {
      const chosen = [...model.open][doing.which % Math.max(1, model.open.size)];
      if (!chosen) return;
      const [id, asked] = chosen;
      const { n, price } = asked;
      const to = { id, userId, familyId: userId };
      if (doing.do === 'again') {
        await ledger.hold({ ...to, ask: askOf(asked) });
        return;
      }
      model.open.delete(id);
      if (doing.do === 'settle' || doing.do === 'partly') {
        const part = doing.do === 'partly' ? Math.ceil(n / 3) : n;
        const delivered = { codePoints: part, charNum: part * price, of: n * price };
        const settle = { ...to, usage, ...(part < n && { delivered }) };
        // Sent twice at once it counts once. A repeated hold then returns the charge.
        await Promise.all([ledger.settle(settle), ledger.settle({ ...settle, usage })]);
        expect(await ledger.hold({ ...to, ask: askOf(asked) })).toMatchObject({
          state: 'settled',
          quota: { charNum: part * price },
        });
        model.used += part;
        model.free += (n - part) * price;
      } else {
        await ledger.release({ ...to, usage: doing.do === 'release' ? usage : null });
        model.free += n * price;
      }
      if (doing.do !== 'forget') model.lines++;
    }
  };

  it('agrees after every step of any scenario', async () => {
    const stories = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const userId = await fixture.member({ charChange: 100 });
      const model: Model = { free: 100, used: 0, open: new Map(), lines: 0 };
      for (const doing of steps) await take(userId, model, doing);
      expect(await fixture.ledger.balanceOf(userId)).toMatchObject({
        usableCharNum: model.free,
        usedCharTotal: model.used,
      });
      const { rows } = await fixture.owner.query('SELECT usage_seq FROM translation_log WHERE user_id = $1', [userId]);
      expect(rows).toHaveLength(model.lines);
    });
    await fc.assert(stories, { numRuns: 25 });
    expect((await auditLedger(fixture.owner)).difference).toBeNull();
  });

  it('agrees on the totals after concurrent commands', async () => {
    const users = await Promise.all([1, 2, 3, 4, 5].map(() => fixture.member({ charChange: 500 })));
    const spent = new Map(users.map((userId) => [userId, 0]));
    const story = async (n: number): Promise<void> => {
      const userId = users[n % 5] ?? 0;
      const to = { id: uuid7(), userId, familyId: userId };
      const codePoints = 1 + ((n * 37) % 50);
      try {
        await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints } });
        if (n % 7 === 0) await fixture.ledger.release({ ...to, usage });
        else if (n % 11 !== 0) {
          await fixture.ledger.settle({ ...to, usage });
          spent.set(userId, (spent.get(userId) ?? 0) + codePoints);
        } else await fixture.ledger.release({ ...to, usage: null });
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'QUOTA_NOT_ENOUGH') throw error;
      }
      if (n % 13 === 0) await fixture.post(userId, { type: 'SYS_ADJUST', voiceChange: 1 });
    };
    await Promise.all(Array.from({ length: 400 }, (_, n) => story(n)));
    for (const userId of users) {
      const balance = await fixture.ledger.balanceOf(userId);
      expect(balance.usableCharNum).toBe(500 - (spent.get(userId) ?? 0));
      expect(balance.usedCharTotal).toBe(spent.get(userId));
    }
    expect((await auditLedger(fixture.owner)).difference).toBeNull();
  });
});
