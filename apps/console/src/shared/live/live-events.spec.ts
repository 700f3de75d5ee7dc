import { describe, expect, it } from '@jest/globals';
import { noticeEvents } from '@yiqiao/contracts/notices';
import { parseLiveEvent } from './live-events.js';

const read = (event: string, data: string) => parseLiveEvent({ event, data });

const NOTICE = { id: 3, name: '维护', title: '今晚维护', subTitle: '', content: '<p>22:00</p>' };

describe('an event of the stream', () => {
  it('reports orders, account changes, notices and its connection', () => {
    expect(read('order', '{"id":7,"payStatus":"P"}')).toEqual({ name: 'order', data: { id: 7, payStatus: 'P' } });
    expect(read('account', '{}')).toEqual({ name: 'account', data: {} });
    for (const accountVersion of ['0a1b', null]) {
      const ready = { clientId: 'abcdefgh', accountVersion };
      expect(read('ready', JSON.stringify(ready))).toEqual({ name: 'ready', data: ready });
    }
    expect(read('notice', JSON.stringify(NOTICE))).toEqual({ name: 'notice', data: NOTICE });
    expect(read('notice-removed', '{"id":3}')).toEqual({ name: 'notice-removed', data: { id: 3 } });
  });

  it.each([
    ['tomorrow', '{}'],
    ['toString', '{}'],
    ['message', '{"id":7,"payStatus":"P"}'],
    ['order', '{"id":"7","payStatus":"P"}'],
    ['order', '{"id":7,"payStatus":"X"}'],
    ['order', '{"id":7,"payStatus":"toString"}'],
    ['order', '{}'],
    ['order', 'null'],
    ['order', '[]'],
    ['account', 'not JSON'],
    ['account', '7'],
    ['ready', ''],
    ['ready', '{"clientId":8,"accountVersion":null}'],
    ['ready', '{"clientId":"abcdefgh","accountVersion":8}'],
    ['notice', '{}'],
    ['notice-removed', '{"id":"3"}'],
  ])('is left out when it is unknown or not what it should be: %s %s', (event, data) => {
    expect(read(event, data)).toBeNull();
  });

  const VALUES: unknown[] = [
    null,
    true,
    7,
    'text',
    [],
    [1],
    {},
    { id: 1 },
    { id: 1.5 },
    { id: '1' },
    { id: null },
    { id: 2 ** 60 },
    { clientId: 'a' },
    { clientId: 1 },
    { id: 1, payStatus: 'W' },
    { id: 1, payStatus: 'w' },
    { payStatus: 'W' },
    NOTICE,
    { ...NOTICE, more: 1 },
    { ...NOTICE, id: '3' },
    ...Object.keys(NOTICE).flatMap((key) => [null, 4, undefined].map((value) => ({ ...NOTICE, [key]: value }))),
  ];

  it.each(Object.entries(noticeEvents))('is read as the contract has it: %s', (name, schema) => {
    for (const value of VALUES) {
      const data = JSON.stringify(value);
      const { success, data: wanted } = schema.safeParse(JSON.parse(data));
      expect([data, read(name, data)]).toEqual([data, success ? { name, data: wanted } : null]);
    }
  });
});
