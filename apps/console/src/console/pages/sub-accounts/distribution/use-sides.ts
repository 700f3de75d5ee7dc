import { getChildUser } from '@yiqiao/contracts/sub-accounts';
import { useEffect, useState } from 'react';
import { call } from '../../../../shared/api/call.js';
import { refreshUser, useMember } from '../../../../shared/auth/user.js';
import type { ChildUser } from '../child-user.js';
import { holdingOf, type Sides } from './shares.js';

/** What both accounts may use: at first as the page knows it, then as the server says. `refresh` asks once more. */
export function useSides(child: ChildUser): { sides: Sides; refresh: () => Promise<void> } {
  const { memberAccount } = useMember();
  const [own, setOwn] = useState(child.memberAccount);
  const { userId } = child;
  const refresh = async (): Promise<void> => {
    const [fresh] = await Promise.all([call(getChildUser, { userId: String(userId) }), refreshUser()]);
    setOwn(fresh.memberAccount);
  };
  useEffect(() => {
    let here = true;
    call(getChildUser, { userId: String(userId) })
      .then((fresh) => here && setOwn(fresh.memberAccount))
      .catch(() => undefined); // the figures of the page stand; confirming will tell
    refreshUser().catch(() => undefined);
    return () => {
      here = false;
    };
  }, [userId]);
  return { sides: { main: holdingOf(memberAccount), child: holdingOf(own) }, refresh };
}
