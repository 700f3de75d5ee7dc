import type { Response } from '@yiqiao/contracts/endpoint';
import type { listMapping } from '@yiqiao/contracts/plans';
import type { Channel } from '../../../shared/channels/use-channels.js';

/** What the family would have on another channel, as the server works it out. */
export type ChannelPreview = Response<typeof listMapping>[number];

/** A channel as the dialog shows it: what it would make of the balance, or why it cannot be changed to (`current`: it is in use). */
export type ChannelRow = { channel: Channel } & (
  { state: 'offered'; offer: ChannelPreview } | { state: 'current' } | { state: 'unavailable' }
);

/** The price list's order, the channel in use on top. What is not offered cannot be changed to, whatever the price list says. */
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
