import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { listChannelStatus } from '@yiqiao/contracts/translation';
import { call } from '../api/call.js';
import type { ChannelStatus } from './health.js';

/** How each channel did lately; it is only shown, so a page works without it. */
export const useChannelStatus = (): UseQueryResult<ChannelStatus[]> =>
  useQuery({
    queryKey: ['channels', 'status'],
    queryFn: ({ signal }) => call(listChannelStatus, {}, { signal }),
    retry: false,
  });
