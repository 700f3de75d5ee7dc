import type { Response } from '@yiqiao/contracts/endpoint';
import type { listMapping } from '@yiqiao/contracts/plans';
import type { Channel } from '../../shared/channels/channels.js';

/** The family's balances on another channel, computed by the server. */
export type ChannelPreview = Response<typeof listMapping>[number];

/** A channel in the dialog: the balance after changing to it, or why that is impossible (`current`: it is in use). */
export type ChannelRow = { channel: Channel } & (
  { state: 'offered'; offer: ChannelPreview } | { state: 'current' } | { state: 'unavailable' }
);

/** In the order of the price list, the current channel first. A channel without an offer cannot be chosen even if it has a price. */
export const rowsOf = (
  channels: readonly Channel[],
  offers: readonly ChannelPreview[],
  current: number,
): readonly ChannelRow[] => {
  const row = (channel: Channel): ChannelRow => {
    const offer = offers.find(({ id }) => id === channel.id);
    if (channel.id === current) return { channel, state: 'current' };
    return offer ? { channel, state: 'offered', offer } : { channel, state: 'unavailable' };
  };
  const rows = channels.map(row);
  return [...rows.filter(({ state }) => state === 'current'), ...rows.filter(({ state }) => state !== 'current')];
};
