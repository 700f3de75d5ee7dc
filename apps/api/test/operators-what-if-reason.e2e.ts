/** A what-if as the reason for another price: it is about this change, sound, and shown with its figures (operators §8). */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeMain } from './support/family.js';
import type { OperatorBrowser } from './support/operators.js';
import { STANDARD } from './support/orders.js';
import { WhatIfFixture } from './support/what-if.js';

let service: WhatIfFixture;
let maker: OperatorBrowser;

beforeAll(async () => {
  service = await WhatIfFixture.open();
  maker = await service.operators.signIn(await service.operators.enrol('maker', 'finance'));
  await service.pay(await makeMain(service.api), STANDARD, 3);
});
afterAll(() => service.close());

const ask = async (target: string, payload: object) => {
  const reason = 'the vendor raised its price in July';
  const { body } = await maker.post('/requests', { kind: 'price.change', target, payload, reason });
  return body;
};

it('stands beside the request, with its figures', async () => {
  const { id: whatIfId } = await service.run({ plans: { [STANDARD]: { salePrice: 9_800 } } });
  const { data } = await ask(`plan:${STANDARD}`, { salePrice: 9_800, whatIfId });
  const { body } = await maker.get(`/requests/${(data as { id: number }).id}`);
  expect(body.data).toMatchObject({
    payload: { salePrice: 9_800, whatIfId },
    changes: [{ before: '¥88.00', after: '¥98.00' }],
    checks: [{ state: 'note' }, { state: 'met', text: { en: expect.stringContaining('difference 0') } }],
  });
  const { facts } = body.data as { facts: { label: { en: string }; value: unknown }[] };
  expect(facts.map(({ label, value }) => [label.en, value])).toEqual([
    ['Price', '¥98.00'],
    ['What-if', `#${whatIfId}`],
    ['Same people, same orders', '+¥30.00'],
    ['Families that gain', 0],
    ['Families that lose', 1],
    ['Members who would run dry', 0],
  ]);
});

it('is refused when it is about something else, or says nothing', async () => {
  const { id: whatIfId } = await service.run({ channels: { deepl: 96 } });
  expect((await ask('channel:deepl', { price: 97, whatIfId })).code).toBe('WHAT_IF_OF_ANOTHER_CHANGE');
  expect((await ask('plan:3', { salePrice: 20_800, whatIfId })).code).toBe('WHAT_IF_OF_ANOTHER_CHANGE');
  expect((await ask('channel:deepl', { price: 96, whatIfId: 999_999 })).code).toBe('NOT_FOUND');
  expect((await ask('channel:deepl', { whatIfId })).code).toBe('VALIDATION_FAILED');
  await service.api.db.query('UPDATE recharge_order SET voice_num = voice_num + 1');
  const unsound = await service.run({ channels: { deepl: 96 } });
  await service.api.db.query('UPDATE recharge_order SET voice_num = voice_num - 1');
  expect(unsound.state).toBe('unsound');
  expect((await ask('channel:deepl', { price: 96, whatIfId: unsound.id })).code).toBe('WHAT_IF_NOT_SOUND');
  expect((await ask('channel:deepl', { price: 96, whatIfId })).code).toBeUndefined();
});
