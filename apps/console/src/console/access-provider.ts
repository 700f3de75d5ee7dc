import { useCan, type AccessControlProvider, type CanReturnType } from '@refinedev/core';
import { lastUser, storedUser } from '../shared/auth/stored-user.js';
import { freshUser } from '../shared/auth/user.js';
import { answerFor } from './access.js';

// A page stays on screen while its session's end is announced.
const known = () => storedUser() ?? lastUser();

export const accessControlProvider: AccessControlProvider = {
  can: async (wish) => answerFor(wish, known() ?? (await freshUser())),
};

/**
 * Whether the member may see a page; null while nobody knows yet who it is. Where the member is known, the first answer is there with
 * the first drawing: nothing flashes.
 */
export function useMaySee(resource: string): boolean | null {
  const wish = { resource, action: 'list' };
  const user = known();
  const { data } = useCan({
    ...wish,
    queryOptions: user ? { initialData: answerFor(wish, user) satisfies CanReturnType } : {},
  });
  return data?.can ?? null;
}
