import { getUsage } from '@yiqiao/contracts/user';
import { useEndpoint, useInvalidateEndpoint } from '../../../shared/api/use-endpoint.js';
import { useLive } from '../../../shared/live/use-live.js';

/** The usage of the last `days` days, read on every visit and whenever the account moves. */
export function useUsage(days: number) {
  const invalidate = useInvalidateEndpoint();
  const look = (): void => void invalidate(getUsage);
  useLive('account', look);
  useLive('ready', ({ again }) => again && look());
  return useEndpoint(getUsage, { days: String(days) }, { refetchOnMount: 'always' });
}

export type UsageQuery = ReturnType<typeof useUsage>;

/** What a card about the use is given: the days that were asked for, and what came. */
export type UsageProps = { days: number; query: UsageQuery };
