import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listSessions } from '@yiqiao/contracts/sessions';
import { call } from '../../../shared/api/call.js';

/** Where this member is signed in; looked at anew on every visit. `again`: after something was ended. */
export function useSessions(userId: number) {
  const queries = useQueryClient();
  const queryKey = ['sessions', userId];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listSessions, {}, { signal }),
    retry: false,
    refetchOnMount: 'always',
  });
  return { query, again: () => queries.invalidateQueries({ queryKey }) };
}
