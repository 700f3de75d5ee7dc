/** Prices of channels and plans: shown, and changed by two operators through the same handler as the command line (operators §4). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from './support/api.js';
import { type OperatorBrowser, type TestOperator, TestOperators } from './support/operators.js';

const REASON = 'the vendor raised its price in July';

let api: TestApi;
let operators: TestOperators;
let second: TestOperator;
let maker: OperatorBrowser;
let checker: OperatorBrowser;

beforeAll(async () => {
  api = await startApi();
  operators = await TestOperators.start(api);
  maker = await operators.signIn(await operators.enrol('maker', 'finance'));
  second = await operators.enrol('checker', 'finance');
  checker = await operators.signIn(second);
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

type Prices = { channels: { code: string; price: number }[]; plans: { id: number; salePrice: number; num: number }[] };
const prices = async (): Promise<Prices> => (await maker.get('/prices')).body.data;
const ask = async (
  target: string,
  payload: object,
): Promise<{ status: number; code: string | undefined; id: number }> => {
  const { status, body } = await maker.post('/requests', { kind: 'price.change', target, payload, reason: REASON });
  return { status, code: body.code, id: (body.data as { id?: number } | null)?.id ?? 0 };
};
const approve = async (id: number): Promise<string> => {
  const code = await operators.freshCode(second);
  const { body } = await checker.post(`/requests/${id}/approve`, { reason: 'agreed', code });
  return (body.data as { state: string }).state;
};

describe('a price', () => {
  it('of a channel changes when a second operator approves, with its version and its actions', async () => {
    const { id, status } = await ask('channel:deepl', { price: 96 });
    expect(status).toBe(200);
    expect((await prices()).channels.find(({ code }) => code === 'deepl')?.price).toBe(80);
    const { body } = await checker.get(`/requests/${id}`);
    expect(body.data).toMatchObject({ changes: [{ before: 80, after: 96 }] });
    expect(await approve(id)).toBe('done');
    expect((await prices()).channels.find(({ code }) => code === 'deepl')?.price).toBe(96);
    const { rows } = await api.db.query(
      `SELECT v.price, v.reason, m.name FROM channel_price v JOIN manager m ON m.id = v.manager_id`,
    );
    expect(rows).toEqual([{ price: 96, reason: REASON, name: 'maker' }]);
    const actions = await api.db.query<{ body: string }>(
      `SELECT body FROM operator_action WHERE action = 'channel.change'`,
    );
    expect(actions.rows.map(({ body: text }) => JSON.parse(text) as object)).toMatchObject([
      { actor: 'checker', before: { price: 80 }, after: { price: 96 }, approvalId: id },
    ]);
  });

  it('of a plan changes with all its values or none, and ends as failed when it makes no sense any more', async () => {
    const { id } = await ask('plan:3', { salePrice: 21_800, num: 5_500_000 });
    expect(await approve(id)).toBe('done');
    expect((await prices()).plans.find((plan) => plan.id === 3)).toMatchObject({ salePrice: 21_800, num: 5_500_000 });
    const same = await ask('plan:2', { salePrice: 9_900 });
    await api.db.query('UPDATE member_group SET sale_price = 9900 WHERE id = 2');
    expect(await approve(same.id)).toBe('failed');
  });

  it('is kept as a version, with what it replaced, its reason and its request', async () => {
    const { id } = await ask('channel:youdao', { price: 44 });
    expect(await approve(id)).toBe('done');
    const { body } = await maker.get('/prices/versions?pageSize=1');
    const { rows, total } = body.data as { rows: unknown[]; total: number };
    expect(total).toBeGreaterThan(1);
    expect(rows).toMatchObject([
      {
        ...{ kind: 'channel', name: '有道翻译', manager: 'maker', reason: REASON, approval: id },
        changes: [{ field: 'price', was: 40, is: 44 }],
      },
    ]);
  });

  it.each([
    ['of nothing', 'channel:nobody', { price: 1 }, 'NOT_FOUND'],
    ['as it is already', 'channel:google', { price: 40 }, 'PRICE_UNCHANGED'],
    ['that a channel has not', 'channel:google', { salePrice: 1 }, 'VALIDATION_FAILED'],
    ['that a plan has not', 'plan:3', { price: 1 }, 'VALIDATION_FAILED'],
    ['without a change', 'plan:3', {}, 'VALIDATION_FAILED'],
    ['of a plan on sale for nothing', 'plan:3', { salePrice: 0 }, undefined],
  ])('is not asked for %s', async (_, target, payload, code) => {
    const answer = await ask(target, payload);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    if (code !== undefined) expect(answer.code).toBe(code);
  });
});
