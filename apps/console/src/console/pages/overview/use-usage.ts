import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getUsage } from '@yiqiao/contracts/user';
import { call } from '../../../shared/api/call.js';
import { useLive } from '../../../shared/live/use-live.js';

/** The usage of the last `days` days; looked at anew on every visit, and whenever the account moves. */
export function useUsage(days: number) {
  const queries = useQueryClient();
  const look = (): void => void queries.invalidateQueries({ queryKey: ['usage'] });
  useLive('account', look);
  useLive('ready', ({ again }) => again && look());
  return useQuery({
    queryKey: ['usage', days],
    queryFn: ({ signal }) => call(getUsage, { days: String(days) }, { signal }),
    retry: false,
    refetchOnMount: 'always',
  });
}

export type UsageQuery = ReturnType<typeof useUsage>;

/** What a card about the use is given: the days that were asked for, and what came. */
export type UsageProps = { days: number; query: UsageQuery };
