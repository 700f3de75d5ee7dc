import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { useSignedIn, useUser, type User } from '../../shared/auth/stored-user.js';
import { useInvited } from './invite.js';

const TEST = '/UserCenterChangeTranslateTest';

/** The translation test for trial users and sub-accounts, which have no recharge page; others may buy again. */
const forMember = ({ memberGroupId, parentUserId }: Pick<User, 'memberGroupId' | 'parentUserId'>): string =>
  memberGroupId === TRIAL_GROUP_ID || parentUserId !== null ? TEST : '/UserCenterRecharge';

/** Target of the free-test button (specification §2); that for visitors on the server and during hydration. */
export function useFreeTest(): string {
  const signedIn = useSignedIn();
  const user = useUser();
  const invited = useInvited();
  if (!signedIn) return invited('/login?type=2');
  return user === null ? TEST : forMember(user);
}
