import { useQuery } from '@tanstack/react-query';
import { getUsage } from '@yiqiao/contracts/user';
import { USAGE_DAYS } from '@yiqiao/domain/limits';
import { call } from '../../shared/api/call.js';

/** The usage of the last days; looked at anew on every visit. */
export const useUsage = () =>
  useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => call(getUsage, { days: String(USAGE_DAYS) }, { signal }),
    retry: false,
    refetchOnMount: 'always',
  });

export type UsageQuery = ReturnType<typeof useUsage>;
