/** What would have been charged under other prices (operators §8): the baseline to the unit, the changed table, progress, and refusal. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { compareWhatIfs, listWhatIfs } from '@yiqiao/contracts/operator/what-if';
import { deleteChildUsers, distributeChars } from '@yiqiao/contracts/sub-accounts';
import { CHANNELS } from '@yiqiao/domain/channels';
import { FIRST_PLANS } from '@yiqiao/domain/first-plans';
import { emptyTally, finished, type Tally } from '@yiqiao/domain/what-if-tally';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { replayWhatIf } from '../src/ledger/what-if/replay-what-if.js';
import { EventReader } from './support/event-reader.js';
import { adjust, buyPackage, makeMain, makeSub } from './support/family.js';
import type { OperatorBrowser } from './support/operators.js';
import { MONTHLY, PROFESSIONAL, STANDARD } from './support/orders.js';
import { spawnProgram } from './support/process.js';
import type { TestMember } from './support/test-members.js';
import { ALWAYS, WhatIfFixture } from './support/what-if.js';

const { offline, google, deepl, chatgpt } = CHANNELS;

let service: WhatIfFixture;
const spawned: { stop: () => Promise<void> }[] = [];

beforeAll(async () => {
  service = await WhatIfFixture.open();
});
afterAll(() => service.close());

const codeOf = async (answer: ReturnType<OperatorBrowser['get']>): Promise<unknown> => {
  const { status, body } = await answer;
  return body.code ?? status;
};

const holding: pg.PoolClient[] = [];
/** A run begins with the history of prices: while it is locked, the run waits. Returns the function that lets it go on. */
async function beforePrices(): Promise<() => Promise<void>> {
  const client = await service.api.db.connect();
  await client.query('BEGIN; LOCK TABLE channel_price IN ACCESS EXCLUSIVE MODE');
  holding.push(client);
  return async () => {
    holding.splice(holding.indexOf(client), 1);
    await client.query('ROLLBACK');
    client.release();
  };
}
afterEach(async () => {
  for (const program of spawned.splice(0)) await program.stop();
  for (const client of holding.splice(0)) {
    await client.query('ROLLBACK');
    client.release();
  }
});

describe('a what-if', () => {
  it('counts what the changed prices would have charged, credited and converted', async () => {
    const main = await makeMain(service.api);
    const id = main.session.userId;
    await service.pay(main, STANDARD, 2);
    await service.pay(main, PROFESSIONAL);
    await service.change(main, deepl.id);
    await service.translate(main, [1_000], { own: deepl.id });
    await service.translate(main, [999], { own: deepl.id, through: google.id });
    await service.media(main, { kind: 'image' });
    await service.media(main, { kind: 'voice', minutes: 3 });
    await service.fail(main);
    const result = await service.result({
      channels: { deepl: 160 },
      plans: { [STANDARD]: { salePrice: 9_800, num: 1_000_000 } },
    });
    // 999 · 40 / 80, and 999 · 40 / 160.
    expect(result.charged).toEqual({ was: 1_500, wouldBe: 1_250 });
    expect(result.amount).toEqual({ was: 2 * 8_800 + 19_800, wouldBe: 2 * 9_800 + 19_800 });
    expect(result.credited).toEqual({ was: 9_000_000, wouldBe: 7_000_000 });
    expect(result.plans.find((plan) => plan.id === STANDARD)).toMatchObject({
      orders: 1,
      units: 2,
      amount: { was: 17_600, wouldBe: 19_600 },
      charNum: { was: 4_000_000, wouldBe: 2_000_000 },
    });
    const before = 9_005_000;
    expect(result.conversions).toEqual([
      expect.objectContaining({
        familyId: id,
        from: offline.id,
        to: deepl.id,
        before,
        charNum: { was: before / 2, wouldBe: (before - 2_000_000) / 4 },
      }),
    ]);
    expect(result.channels.find((channel) => channel.id === deepl.id)).toMatchObject({ into: 1, outOf: 0 });
    expect(result).toMatchObject({ affected: { gains: 0, loses: 1, same: 0 }, dryCount: 0, lines: 6 });
    expect(result.loses).toEqual([expect.objectContaining({ familyId: id, name: expect.stringContaining('nick') })]);
  });

  it('names whoever would have run dry, and when', async () => {
    const main = await makeMain(service.api);
    const sub = await makeSub(service.api, main, 100);
    await buyPackage(service.api, main, STANDARD);
    await service.translate(main, [400_000], { own: offline.id });
    const result = await service.result({ plans: { [STANDARD]: { num: 300_000, imageNum: 0 } } });
    expect(result.dry.filter(({ familyId }) => familyId === main.session.userId)).toEqual([
      {
        userId: main.session.userId,
        familyId: main.session.userId,
        name: expect.anything(),
        at: expect.anything(),
        kind: 'char',
      },
    ]);
    expect(result.dry.map(({ userId }) => userId)).not.toContain(sub.session.userId);
    const none = await service.result({ plans: { [STANDARD]: { num: 3_000_000 } } });
    expect(none.dry).toEqual([]);
    expect(none.affected.gains).toBeGreaterThan(0);
  });

  it('has nothing to say of a time that nobody used', async () => {
    const later = await service.ended(
      await service.start({}, { from: '2089-01-01 00:00:00', to: '2090-01-01 00:00:00' }),
    );
    expect(later).toMatchObject({ state: 'done', entries: 0, baseline: { charged: 0, wouldBe: 0, difference: 0 } });
    expect(later.result).toMatchObject({ affected: { gains: 0, loses: 0, same: 0 }, conversions: [], dry: [] });
  });

  it('says what would be worth knowing before the prices change', async () => {
    const result = await service.result({ channels: { deepl: 96 } });
    const [held] = result.held;
    expect(held).toMatchObject({ channel: deepl.id, worth: (held?.charNum ?? 0) * 16 });
    const ai = FIRST_PLANS.find(({ tier }) => tier === 'ai');
    expect(result.references).toContainEqual(
      expect.objectContaining({ plan: ai?.id, channel: deepl.id, num: { was: 6_000_000, wouldBe: 7_200_000 } }),
    );
  });

  it.each([
    ['a plan that is not there', { changes: { plans: { 999: { num: 1 } } } }, 'NOT_FOUND'],
    ['a channel that is not there', { changes: { channels: { nobody: 1 } } }, 'UNKNOWN_FIELD'],
    ['a price of nothing', { changes: { channels: { deepl: 0 } } }, 'VALIDATION_FAILED'],
    ['an end before its begin', { from: ALWAYS.to, to: ALWAYS.from, changes: {} }, 'VALIDATION_FAILED'],
  ])('is refused for %s', async (_, body, code) => {
    expect(await codeOf(service.viewer.post('/what-if', { ...ALWAYS, ...body }))).toBe(code);
  });
});

it('comes out as it was recorded without a change, to the unit, whatever happened', async () => {
  const channel = fc.constantFrom(offline.id, google.id, deepl.id, chatgpt.id);
  const step = fc.oneof(
    fc.record({
      do: fc.constant('buy' as const),
      plan: fc.constantFrom(...FIRST_PLANS.filter(({ onSale }) => onSale)),
      quantity: fc.integer({ min: 1, max: 2 }),
      paid: fc.boolean(),
    }),
    fc.record({ do: fc.constant('change' as const), channel }),
    fc.record({ do: fc.constant('price' as const), channel, price: fc.integer({ min: 10, max: 120 }) }),
    fc.record({
      do: fc.constant('translate' as const),
      through: channel,
      texts: fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ do: fc.constant('share' as const), charNum: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ do: fc.constantFrom('recover' as const, 'adjust' as const, 'media' as const, 'fail' as const) }),
  );
  const walk = async (path: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): Promise<void> => {
    const main = await makeMain(service.api);
    let [own, timed] = [offline.id as number, false];
    let sub: TestMember | null = null;
    for (const doing of path) {
      if (doing.do === 'buy') {
        if (doing.paid) await service.pay(main, doing.plan.id, doing.quantity);
        else await buyPackage(service.api, main, doing.plan.id, doing.quantity);
        own = doing.plan.channel ?? own;
        timed = doing.plan.mode === 'time';
      } else if (doing.do === 'change' && doing.channel !== own) {
        await service.change(main, doing.channel);
        own = doing.channel;
      } else if (doing.do === 'price') await service.setPrice(doing.channel, doing.price);
      else if (doing.do === 'translate') {
        const through = timed ? own : doing.through;
        await service.translate(main, doing.texts, { own, through }).catch(() => undefined);
        if (sub) await service.translate(sub, doing.texts, { own, main }).catch(() => undefined);
      } else if (doing.do === 'share') {
        sub ??= await makeSub(service.api, main);
        const to = { childUserId: sub.session.userId, changeCharNum: doing.charNum };
        await main.client.call(distributeChars, to).catch(() => undefined);
      } else if (doing.do === 'recover' && sub) {
        await main.client.call(deleteChildUsers, { userId: sub.session.userId });
        sub = null;
      } else if (doing.do === 'adjust')
        await adjust(service.api, main.session.userId, { charChange: 70, voiceChange: 2 });
      else if (doing.do === 'media') await service.media(main, { kind: 'image' }).catch(() => undefined);
      else if (doing.do === 'fail') await service.fail(main).catch(() => undefined);
    }
    // In the end everything is converted to characters.
    await buyPackage(service.api, main, STANDARD);
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), walk), { numRuns: 12 });
  const { state, baseline, result, entries, total } = await service.run();
  expect(baseline?.differences).toEqual([]);
  expect(baseline?.parts.map(({ difference }) => difference)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect({ state, difference: baseline?.difference, entries }).toEqual({
    state: 'done',
    difference: 0,
    entries: total,
  });
  expect(result?.amount.was).toBe(result?.amount.wouldBe);
  expect(result).toMatchObject({ affected: { gains: 0, loses: 0 }, dryCount: 0, conversions: [] });
  // Every entry was replayed, and what it says used is what members were charged.
  const { rows } = await service.api.db.query<{ entries: string; charged: string }>(
    `SELECT count(*) AS entries, -sum(char_change) FILTER (WHERE log_type = 7) AS charged FROM account_log`,
  );
  expect(rows.map((row) => [Number(row.entries), Number(row.charged)])).toEqual([[entries, baseline?.charged]]);
  // The same prices, given as changes, change nothing either.
  const { rows: now } = await service.api.db.query<{ num: string }>('SELECT num FROM member_group WHERE id = $1', [
    MONTHLY,
  ]);
  const same = await service.run({ plans: { [MONTHLY]: { num: Number(now[0]?.num) } } });
  expect(same.result?.minutes.was).toBe(same.result?.minutes.wouldBe);
  for (const { id, price } of [offline, google, deepl, chatgpt]) await service.setPrice(id, price);
});

describe('a run', () => {
  it('reports its progress, can be stopped and goes on', async () => {
    const stream = await EventReader.at(`${service.operators.url}/operator-api/stream`, {
      Cookie: service.viewer.cookie,
    });
    await stream.event('ready');
    const goOn = await beforePrices();
    const id = await service.start();
    expect(await stream.event('whatIf')).toEqual({ event: 'whatIf', data: { id } });
    await service.running(id);
    expect((await service.viewer.post(`/what-if/${id}/cancel`, {})).status).toBe(200);
    expect(await service.read(id)).toMatchObject({ state: 'cancelled', baseline: null, result: null });
    expect(await codeOf(service.viewer.post(`/what-if/${id}/cancel`, {}))).toBe('WHAT_IF_OVER');
    await goOn();
    expect((await service.viewer.post(`/what-if/${id}/resume`, {})).status).toBe(200);
    const over = await service.ended(id);
    expect(over).toMatchObject({ state: 'done', startedBy: 'viewer-1', entries: over.total });
    expect(over.families).toBe(over.familiesTotal);
    expect(await codeOf(service.viewer.post(`/what-if/${id}/resume`, {}))).toBe('WHAT_IF_NOT_STOPPED');
    expect(await codeOf(service.viewer.get('/what-if/999999'))).toBe('NOT_FOUND');
    const { rows } = await service.api.db.query<{ action: string }>(
      `SELECT action FROM operator_action WHERE target_kind = 'whatIf' AND target_id = $1 ORDER BY n`,
      [String(id)],
    );
    expect(rows.map(({ action }) => action)).toEqual(['whatIf.start', 'whatIf.cancel', 'whatIf.resume']);
    await stream.close();
  });

  it('is carried out by another worker after the one that ran it was killed', async () => {
    const whole = await service.run({ channels: { deepl: 100 } });
    await service.stopWorker();
    const goOn = await beforePrices();
    const killed = spawnProgram('worker', service.api.env);
    spawned.push(killed);
    const id = await service.start({ channels: { deepl: 100 } });
    await service.running(id);
    await killed.stop();
    await loseRedis();
    await service.startWorker();
    await goOn();
    expect((await service.ended(id)).result).toEqual(whole.result);
  });

  it('comes to the same result from whichever family it goes on', async () => {
    const span = { from: 0, to: Date.now() + 60_000, after: 0 };
    const changes = { channels: { [deepl.id]: 100 }, plans: { [STANDARD]: { num: 100_000 } } };
    const kept: { after: number; tally: string }[] = [];
    const whole = emptyTally();
    const onFamily = (after: number): void => void kept.push({ after, tally: JSON.stringify(whole) });
    await replayWhatIf(service.api.db, { span, changes, tally: whole, onFamily, reportMs: 0 });
    expect(kept.length).toBeGreaterThan(2);
    for (const { after, tally } of kept) {
      const rest = JSON.parse(tally) as Tally;
      await replayWhatIf(service.api.db, { span: { ...span, after }, changes, tally: rest });
      expect(finished(rest)).toEqual(finished(whole));
    }
  });

  it('stays in the history and is compared with another one', async () => {
    const [first, second] = [
      await service.run({ plans: { [STANDARD]: { salePrice: 9_000 } } }),
      await service.run({ plans: { [STANDARD]: { salePrice: 9_500 } } }),
    ];
    const list: Answer<typeof listWhatIfs> = (await service.viewer.get('/what-if')).body.data;
    expect(list.rows.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(list.rows[0]).toMatchObject({ baseline: { difference: 0 }, summary: { amount: second.result?.amount } });
    const compared: Answer<typeof compareWhatIfs> = (
      await service.viewer.get(`/what-if/${first.id}/compare?with=${second.id}`)
    ).body.data;
    const units = first.result?.plans.find(({ id }) => id === STANDARD)?.units ?? 0;
    expect(units).toBeGreaterThan(0);
    expect(compared.difference).toMatchObject({ amount: units * 500, charged: 0, vendorCost: 0 });
  });

  it('is refused as unsound when it does not reproduce what was charged', async () => {
    const { rows } = await service.api.db.query<{ id: number; user_id: number }>(
      `UPDATE recharge_order SET num = num + 40 WHERE id = (SELECT min(id) FROM recharge_order WHERE pay_status = 'P')
       RETURNING id, user_id`,
    );
    const { state, baseline, result } = await service.run({ channels: { deepl: 96 } });
    await service.api.db.query('UPDATE recharge_order SET num = num - 40 WHERE id = $1', [rows[0]?.id]);
    expect([state, result]).toEqual(['unsound', null]);
    expect(baseline?.parts.find(({ key }) => key === 'credited')?.difference).not.toBe(0);
    expect(baseline?.differences[0]).toMatchObject({
      userId: Number(rows[0]?.user_id),
      what: 'RECHARGE_ORDER_BY_MEMBER_GROUP: charChange',
    });
    expect((await service.run()).state).toBe('done');
  });

  it('is refused for a charge that no price of its moment explains', async () => {
    const main = await makeMain(service.api);
    await service.charge(main, { codePoints: 10, charNum: 900 }, { own: offline.id });
    const { state, baseline } = await service.run();
    expect(state).toBe('unsound');
    expect(baseline).toMatchObject({ difference: -890, differenceCount: 1 });
    expect(baseline?.differences).toEqual([
      { userId: main.session.userId, seq: 2, what: 'charge of a translation', expected: 10, found: 900 },
    ]);
  });
});

/** Jobs under way are lost with the data of Redis, and relayed again. */
async function loseRedis(): Promise<void> {
  const redis = new Redis(service.api.env['REDIS_URL'] ?? '');
  const keys = await redis.keys(`${service.api.env['REDIS_PREFIX']}:*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
  await service.api.db.query('UPDATE outbox SET relayed_at = NULL WHERE done_at IS NULL');
}
