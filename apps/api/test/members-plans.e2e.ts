import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Plans } from '../src/plans/plans.js';
import { startApi, type TestApi } from './support/api.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const groups = async () =>
  (
    await api.db.query<Record<string, unknown>>(
      `SELECT id, tier, billing_mode, num, sale_price, minute_price, create_child_user, tran_channel_id, on_sale
       FROM member_group ORDER BY id`,
    )
  ).rows;

it('seeds the trial, five plans per character and three monthly ones', async () => {
  const rows = await groups();
  expect(rows[0]).toMatchObject({ id: 1, tier: 'trial', num: 5_000, on_sale: false, create_child_user: false });
  const sold = rows.filter((row) => row['on_sale']);
  const perChar = sold.filter((row) => row['billing_mode'] === 1);
  const monthly = sold.filter((row) => row['billing_mode'] === 2);
  expect(perChar.map((row) => row['tier'])).toEqual(['standard', 'professional', 'high', 'ai', 'gpt']);
  expect(monthly).toHaveLength(3);
  expect(perChar.every((row) => row['create_child_user'] === true)).toBe(true);
  expect(monthly.every((row) => row['create_child_user'] === false && row['num'] === 43_200)).toBe(true);
  expect(sold.filter((row) => row['tran_channel_id'] !== null).map((row) => row['tier'])).toEqual(['gpt', 'gpt']);
  // ¥128 for 43,200 minutes: the price of a minute, rounded down.
  expect(monthly[0]).toMatchObject({ sale_price: 12_800, minute_price: 2_962 });
});

it('can be repeated without touching operators’ changes', async () => {
  await api.db.query("UPDATE member_group SET num = 7000, name = '试用' WHERE id = 1");
  await api.db.query('UPDATE tran_channel SET price = 99, enabled = false WHERE id = 7');
  await api.db.query('DELETE FROM member_group WHERE id = 9');
  await Promise.all(Array.from({ length: 3 }, () => api.app.get(Plans).seed()));
  const { rows } = await api.db.query('SELECT num, name FROM member_group WHERE id = 1');
  expect(rows).toEqual([{ num: 7_000, name: '试用' }]);
  expect((await api.app.get(Plans).channelOffers()).find(({ id }) => id === 7)).toMatchObject({
    price: 99,
    available: false,
  });
  expect(await groups()).toHaveLength(9);
});
