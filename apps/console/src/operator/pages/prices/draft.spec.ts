import { describe, expect, it } from '@jest/globals';
import { type Prices, readDraft, replayOf, requestsOf, subjectsOf, withValues, writeDraft } from './draft.js';

const PRICES: Prices = {
  channels: [
    { id: 6, code: 'deepl', name: 'DeepL', price: 80, enabled: true, since: '2026-01-01 00:00:00', request: null },
    { id: 2, code: 'google', name: 'Google', price: 40, enabled: true, since: '2026-01-01 00:00:00', request: 7 },
  ],
  plans: [
    {
      ...{ id: 3, name: 'Pro', billingMode: 'char', num: 5_000_000, voiceNum: 150, imageNum: 150, salePrice: 19_800 },
      ...{ minutePrice: 1, referenceChannelId: 2, tranChannelId: null, onSale: true, sold: 4, request: null },
    },
  ],
};
const subjects = subjectsOf(PRICES);
const [plan] = subjects;

describe('a draft in the address', () => {
  it('holds what differs from the price list, and comes out as it went in', () => {
    const given = ['plan-3-salePrice-21800', 'plan-3-onSale-0', 'channel-deepl-price-96'];
    const changes = readDraft(given, subjects);
    expect(changes.map(({ field, was, will }) => [field, was, will])).toEqual([
      ['salePrice', 19_800, 21_800],
      ['onSale', 1, 0],
      ['price', 80, 96],
    ]);
    expect(writeDraft(changes)).toEqual(given);
  });

  it.each([
    ['the price of today', 'plan-3-salePrice-19800'],
    ['nothing for a price', 'plan-3-salePrice-0'],
    ['what a plan by character has not', 'plan-3-minutePrice-5'],
    ['nobody', 'plan-99-salePrice-5'],
    ['what waits for approval already', 'channel-google-price-50'],
    ['rubbish', 'plan-3-salePrice--5'],
  ])('leaves out %s', (_, text) => {
    expect(readDraft([text], subjects)).toEqual([]);
  });

  it('takes new values of a subject, and drops those of today', () => {
    const changes = withValues(readDraft(['channel-deepl-price-96', 'plan-3-num-6000000'], subjects), plan!, {
      salePrice: 21_800,
      num: 5_000_000,
    });
    expect(writeDraft(changes)).toEqual(['channel-deepl-price-96', 'plan-3-salePrice-21800']);
  });

  it('is replayed without what a replay cannot tell', () => {
    const changes = readDraft(['plan-3-salePrice-21800', 'plan-3-onSale-0', 'channel-deepl-price-96'], subjects);
    expect(replayOf(changes)).toEqual({ channels: { deepl: 96 }, plans: { 3: { salePrice: 21_800 } } });
  });

  it('becomes a request for each subject, with the what-if that is about all of it', () => {
    const changes = readDraft(['plan-3-salePrice-21800', 'plan-3-onSale-0', 'channel-deepl-price-96'], subjects);
    const run = { id: 12, changes: { channels: { deepl: 96 }, plans: { 3: { salePrice: 21_800 } } } };
    expect(requestsOf(changes, run)).toEqual([
      { target: 'plan:3', payload: { salePrice: 21_800, onSale: false } },
      { target: 'channel:deepl', payload: { price: 96, whatIfId: 12 } },
    ]);
  });
});
