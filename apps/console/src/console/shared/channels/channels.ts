import { listChannelStatus } from '@yiqiao/contracts/channel-traffic';
import type { Response } from '@yiqiao/contracts/endpoint';
import { listChannels } from '@yiqiao/contracts/translation';
import { useEndpoint, type EndpointQuery } from '../../../shared/refine/use-endpoint.js';
import { language } from '../../../shared/i18n/language.js';
import { channelNameOf } from '../../../shared/channel-name.js';

/** A channel of the price list: its current price, and the reason when it is unavailable. */
export type Channel = Response<typeof listChannels>[number];

/** Refetched whenever a page that shows them opens, because vendors' keys change. */
export const useChannels = (): EndpointQuery<typeof listChannels> => useEndpoint(listChannels, {});

/** The channel's name in the page's language; a sandbox channel has that in its name. */
export const nameOf = ({ name, enName }: Pick<Channel, 'name' | 'enName'>): string =>
  language === 'zh' ? name : enName;

/** The name of a channel id: the built-in one until the price list is loaded, the bare number when unknown. */
export const nameIn = (channels: readonly Channel[] | undefined, id: number): string => {
  const channel = channels?.find((c) => c.id === id);
  return channel ? nameOf(channel) : (channelNameOf(id) ?? String(id));
};

export type ChannelStatusQuery = EndpointQuery<typeof listChannelStatus>;

/** The recent health of each channel. Display only: a page works without it. */
export const useChannelStatus = (): ChannelStatusQuery => useEndpoint(listChannelStatus, {});

const MICRO_PER_YUAN = 1_000_000;
const CHARS = 10_000;

/** Converts micro-yuan per character to yuan per 10,000 characters, with two decimals or more where needed: `0.20`. */
export const priceText = (price: number): string =>
  ((price * CHARS) / MICRO_PER_YUAN).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
