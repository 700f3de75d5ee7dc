import { describe, expect, it } from '@jest/globals';
import { readPayInfo } from './pay-info.js';

describe('what an address says of a payment', () => {
  it('is an order with its number', () => {
    expect(readPayInfo('{"orderId":7,"orderNo":"YQ2026112014320800870042"}')).toEqual({
      orderId: 7,
      orderNo: 'YQ2026112014320800870042',
    });
  });

  it.each([
    null,
    '',
    '{',
    'null',
    '[]',
    '7',
    '{}',
    '{"orderId":7}',
    '{"orderId":"7","orderNo":"YQ1"}',
    '{"orderId":0,"orderNo":"YQ1"}',
    '{"orderId":-1,"orderNo":"YQ1"}',
    '{"orderId":1.5,"orderNo":"YQ1"}',
    '{"orderId":9007199254740993,"orderNo":"YQ1"}',
    '{"orderId":7,"orderNo":""}',
    '{"orderId":7,"orderNo":"<img src=x onerror=alert(1)>"}',
    '{"orderId":7,"orderNo":"恭喜中奖"}',
    '{"orderId":7,"orderNo":"YQ1","payStatus":"P"}',
    `{"orderId":7,"orderNo":"${'A'.repeat(65)}"}`,
    `{"orderId":7,"orderNo":"YQ1"}${' '.repeat(3_000)}`,
  ])('is nothing for %s', (text) => expect(readPayInfo(text)).toBeNull());
});
