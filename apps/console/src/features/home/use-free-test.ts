import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { useSearchParams } from 'react-router';
import { useSignedIn, useUser } from '../../shared/auth/stored-user.js';

/** Where the free-test button leads: register, translation test, or recharge (specification §2). */
export function useFreeTest(): string {
  const signedIn = useSignedIn();
  const user = useUser();
  const [query] = useSearchParams();
  const inviteCode = query.get('inviteCode');
  if (!signedIn) return `/login?${new URLSearchParams({ type: '2', ...(inviteCode && { inviteCode }) })}`;
  return user === null || user.memberGroupId === TRIAL_GROUP_ID
    ? '/UserCenterChangeTranslateTest'
    : '/UserCenterRecharge';
}
