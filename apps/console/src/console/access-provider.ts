import { useCan, type AccessControlProvider, type CanReturnType } from '@refinedev/core';
import { lastUser, storedUser } from '../shared/auth/stored-user.js';
import { freshUser } from '../shared/auth/user.js';
import { decide } from './access.js';

// The page stays on screen while the end of its session is announced.
const known = () => storedUser() ?? lastUser();

export const accessControlProvider: AccessControlProvider = {
  can: async (request) => decide(request, known() ?? (await freshUser())),
};

/**
 * Whether the member may see a page; null until the member is known. For a known member the first render already has the answer, so that
 * nothing flashes.
 */
export function useMaySee(resource: string): boolean | null {
  const request = { resource, action: 'list' };
  const user = known();
  const { data } = useCan({
    ...request,
    queryOptions: user ? { initialData: decide(request, user) satisfies CanReturnType } : {},
  });
  return data?.can ?? null;
}
