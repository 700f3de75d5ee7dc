import { useQuery } from '@tanstack/react-query';
import { getSavings } from '@yiqiao/contracts/savings';
import { USAGE_DAYS } from '@yiqiao/domain/limits';
import { call } from '../../../../shared/api/call.js';

/** What remembered translations saved lately; looked at anew on every visit. */
export const useSavings = () =>
  useQuery({
    queryKey: ['savings'],
    queryFn: ({ signal }) => call(getSavings, { days: String(USAGE_DAYS) }, { signal }),
    retry: false,
    refetchOnMount: 'always',
  });
