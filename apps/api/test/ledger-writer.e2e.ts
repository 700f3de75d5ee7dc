import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refusal } from '@yiqiao/domain/errors';
import { uuid7 } from '../src/platform/uuid7.js';
import { ledgerHouse, usage, type LedgerHouse } from './support/ledger.js';

const codeOf = (error: unknown): string => (error instanceof Refusal ? error.code : String(error));

describe('the ledger writer', () => {
  let house: LedgerHouse;
  beforeAll(async () => {
    house = await ledgerHouse();
  });
  afterAll(() => house.drop());

  const translate = async (userId: number, codePoints: number, id = uuid7()): Promise<string> => {
    const to = { id, userId, familyId: userId };
    try {
      await house.ledger.hold({ ...to, ask: { kind: 'text', codePoints } });
      await house.ledger.settle({ ...to, usage });
      return 'ok';
    } catch (error) {
      return codeOf(error);
    }
  };

  it('gives 60 concurrent translations exactly the 20 that the balance pays for', async () => {
    const userId = await house.member({ charChange: 20 * 7 });
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => translate(userId, 7)));
    expect(outcomes.filter((o) => o === 'ok')).toHaveLength(20);
    expect(outcomes.filter((o) => o === 'QUOTA_NOT_ENOUGH')).toHaveLength(40);
    expect(await house.ledger.balanceOf(userId)).toMatchObject({ usableCharNum: 0, usedCharTotal: 140 });
  });

  it('charges once for one id, however often it comes', async () => {
    const userId = await house.member({ charChange: 1000 });
    const id = uuid7();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => translate(userId, 9, id)));
    expect(new Set(outcomes)).toEqual(new Set(['ok']));
    expect((await house.ledger.balanceOf(userId)).usableCharNum).toBe(991);
  });
});
