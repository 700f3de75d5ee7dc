import type { Response } from '@yiqiao/contracts/endpoint';
import { listChannels, listChannelStatus } from '@yiqiao/contracts/translation';
import { useEndpoint, type EndpointQuery } from '../../../shared/api/use-endpoint.js';
import { language } from '../../../shared/i18n/language.js';
import { channelNameOf } from '../../../shared/ledger/channel-name.js';

/** A channel of the price list: its price now, and why it cannot be used when it cannot. */
export type Channel = Response<typeof listChannels>[number];

/** Read again whenever a page that shows them opens, because vendors' keys come and go. */
export const useChannels = (): EndpointQuery<typeof listChannels> => useEndpoint(listChannels, {});

/** In the page's language, as the price list has it: a channel that is answered by the sandbox says so in its name. */
export const nameOf = ({ name, enName }: Pick<Channel, 'name' | 'enName'>): string =>
  language === 'zh' ? name : enName;

/** The name of a channel id; what is built in until the price list has come, and the bare number of one that nobody knows. */
export const nameIn = (channels: readonly Channel[] | undefined, id: number): string => {
  const channel = channels?.find((c) => c.id === id);
  return channel ? nameOf(channel) : (channelNameOf(id) ?? String(id));
};

export type ChannelStatusQuery = EndpointQuery<typeof listChannelStatus>;

/** How each channel did lately. It is only shown: a page works without it. */
export const useChannelStatus = (): ChannelStatusQuery => useEndpoint(listChannelStatus, {});

const MICRO_PER_YUAN = 1_000_000;
const CHARS = 10_000;

/** Micro-yuan per character as yuan per 10,000 characters, with as many decimals as it takes and two at least: `0.20`. */
export const priceText = (price: number): string =>
  ((price * CHARS) / MICRO_PER_YUAN).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
