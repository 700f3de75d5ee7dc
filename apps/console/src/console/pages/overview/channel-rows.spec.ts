import { describe, expect, it } from '@jest/globals';
import type { Channel } from '../../shared/channels/channels.js';
import { rowsOf } from './channel-rows.js';

const channel = (id: number, available = true): Channel => ({
  id,
  name: `n${id}`,
  enName: `n${id}`,
  price: 10,
  available,
  reason: available ? null : 'no key',
  text: true,
  voice: false,
  image: false,
});
const offer = (id: number) => ({
  id,
  name: `n${id}`,
  enName: `n${id}`,
  price: 10,
  usableCharNum: 5,
  expireDateTime: null,
  children: [],
});

describe('the channels of the dialog', () => {
  it('lists all, the current one first, with their actions', () => {
    const rows = rowsOf([channel(1), channel(2), channel(3, false)], [offer(1)], 2);
    expect(rows.map(({ channel: { id }, state }) => [id, state])).toEqual([
      [2, 'current'],
      [1, 'offered'],
      [3, 'unavailable'],
    ]);
  });

  it('offer nothing that the server does not offer', () => {
    expect(rowsOf([channel(1), channel(2)], [], 1).map(({ state }) => state)).toEqual(['current', 'unavailable']);
  });
});
