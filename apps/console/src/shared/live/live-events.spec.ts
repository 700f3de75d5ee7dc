import { describe, expect, it } from '@jest/globals';
import { toldBy } from './live-events.js';

const read = (event: string, data: string) => toldBy({ event, data });

describe('an event of the stream', () => {
  it('tells of an order, the account, and that it stands', () => {
    expect(read('order', '{"id":7,"payStatus":"P"}')).toEqual({ name: 'order', data: { id: 7, payStatus: 'P' } });
    expect(read('account', '{}')).toEqual({ name: 'account', data: {} });
    expect(read('ready', '{"clientId":"abcdefgh"}')).toEqual({ name: 'ready', data: { clientId: 'abcdefgh' } });
  });

  it.each([
    ['tomorrow', '{}'],
    ['message', '{"id":7,"payStatus":"P"}'],
    ['order', '{"id":"7","payStatus":"P"}'],
    ['order', '{"id":7,"payStatus":"X"}'],
    ['order', '{"id":7,"payStatus":"toString"}'],
    ['order', '{}'],
    ['order', 'null'],
    ['account', 'not JSON'],
    ['ready', ''],
  ])('is left out when it is unknown or not what it should be: %s %s', (event, data) => {
    expect(read(event, data)).toBeNull();
  });
});
