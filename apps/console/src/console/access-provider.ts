import { useCan, type AccessControlProvider, type CanReturnType } from '@refinedev/core';
import { lastUser, storedUser } from '../shared/auth/stored-user.js';
import { freshUser } from '../shared/auth/user.js';
import { decide } from './access.js';

// A page stays on screen while its session's end is announced.
const known = () => storedUser() ?? lastUser();

export const accessControlProvider: AccessControlProvider = {
  can: async (request) => decide(request, known() ?? (await freshUser())),
};

/**
 * Whether the member may see a page; null while nobody knows yet who it is. Where the member is known, the first answer is there with
 * the first drawing: nothing flashes.
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
