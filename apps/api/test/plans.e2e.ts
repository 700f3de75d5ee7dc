import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listSale } from '@yiqiao/contracts/plans';
import { Plans } from '../src/plans/plans.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const onSale = () => new TestClient(api.url).call(listSale, {});

it('sells packages of working channels to anybody, never the trial', async () => {
  const before = await onSale();
  expect(before.map(({ id }) => id)).toEqual([2, 3, 4, 5, 7, 8]);
  expect(before[0]).toEqual({
    id: 2,
    name: '标准版',
    enName: 'Standard',
    tier: 'standard',
    translationBillingMode: 'char',
    num: 2_000_000,
    salePrice: 8_800,
    createChildUser: true,
    tranChannelId: null,
    referenceChannelId: 2,
    voiceNum: 60,
    imageNum: 60,
  });
  expect(before[4]).toMatchObject({ translationBillingMode: 'time', num: 43_200, createChildUser: false });
  api.app.get(Plans).announce('chatgpt', () => Promise.resolve({ available: true, reason: null }));
  expect((await onSale()).map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});

it('keeps the operator’s order, and leaves out what is not on sale, even a trial that was put on sale', async () => {
  await api.db.query('UPDATE member_group SET on_sale = true, position = 0 WHERE id = 1');
  await api.db.query('UPDATE member_group SET on_sale = false WHERE id = 3');
  await api.db.query('UPDATE member_group SET position = 0 WHERE id = 8');
  const ids = (await onSale()).map(({ id }) => id);
  expect(ids[0]).toBe(8);
  expect(ids).not.toContain(1);
  expect(ids).not.toContain(3);
});

it('accepts no parameters', async () => {
  expect(await new TestClient(api.url).send(listSale, { id: '2' })).toMatchObject({
    status: 422,
    body: { code: 'UNKNOWN_FIELD' },
  });
});
