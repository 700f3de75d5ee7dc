import { useInvalidate, useList } from '@refinedev/core';
import { PAGE_SIZE_MAX } from '@yiqiao/domain/limits';
import { refreshUser } from '../../../shared/auth/user.js';
import { holdingOfAll, type ChildUser } from './child-user.js';

/**
 * How many sub-accounts there are, and what they hold, whatever is searched for below. The list carries no sum: it is made here
 * as long as one page of the API has everybody, and is null beyond.
 */
export function useFamily(): { count: number; chars: number | null } | null {
  const { query } = useList<ChildUser>({
    resource: 'childUsers',
    pagination: { currentPage: 1, pageSize: PAGE_SIZE_MAX },
    errorNotification: false,
    queryOptions: { retry: false },
  });
  if (!query.data) return null;
  const { data, total } = query.data;
  return { count: total, chars: data.length === total ? holdingOfAll(data).usableCharNum : null };
}

/** What a change touches: the lists of sub-accounts and the main account's own figures. */
export function useRefreshFamily(): () => void {
  const invalidate = useInvalidate();
  return () => {
    void invalidate({ resource: 'childUsers', invalidates: ['list'] });
    // What was changed is changed, even if the new figures cannot be fetched right now.
    refreshUser().catch(() => undefined);
  };
}
