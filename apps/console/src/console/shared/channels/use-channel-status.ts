import { listChannelStatus } from '@yiqiao/contracts/translation';
import { useEndpoint, type EndpointQuery } from '../../../shared/api/use-endpoint.js';

export type ChannelStatusQuery = EndpointQuery<typeof listChannelStatus>;

/** How each channel did lately. It is only shown: a page works without it. */
export const useChannelStatus = (): ChannelStatusQuery => useEndpoint(listChannelStatus, {});
