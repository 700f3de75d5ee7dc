import type { Response } from '@yiqiao/contracts/endpoint';
import type { listMapping } from '@yiqiao/contracts/plans';
import type { Channel } from '../../shared/channels/channels.js';

/** What the family would have on another channel, as the server works it out. */
export type ChannelPreview = Response<typeof listMapping>[number];

/** A channel in the dialog: the balance after a change to it, or why there is no such change (`current`: it is in use). */
export type ChannelRow = { channel: Channel } & (
  { state: 'offered'; offer: ChannelPreview } | { state: 'current' } | { state: 'unavailable' }
);

/** In the order of the price list, with the current channel on top. A channel without an offer cannot be chosen, whatever the price list says. */
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
