import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { useSignedIn, useUser, type User } from '../../shared/auth/stored-user.js';
import { useInvited } from './invite.js';

const TEST = '/UserCenterChangeTranslateTest';

/** Whoever is on trial tries, and so does a sub-account, which has no recharge page; whoever bought before may buy again. */
const forMember = ({ memberGroupId, parentUserId }: Pick<User, 'memberGroupId' | 'parentUserId'>): string =>
  memberGroupId === TRIAL_GROUP_ID || parentUserId !== null ? TEST : '/UserCenterRecharge';

/** Where the free-test button leads (specification §2); the server and the first picture know visitors only. */
export function useFreeTest(): string {
  const signedIn = useSignedIn();
  const user = useUser();
  const invited = useInvited();
  if (!signedIn) return invited('/login?type=2');
  return user === null ? TEST : forMember(user);
}
