import { getChildUser } from '@yiqiao/contracts/sub-accounts';
import { useEffect, useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { call } from '../../../shared/api/call.js';
import type { ChildUser } from './child-user.js';

type Info = { status: 'loading' } | { status: 'ready'; child: ChildUser } | { status: 'failed'; why: string | null };

/** One sub-account as it is now (getChildInfo). `undefined`: nobody is asked for. */
export function useChildInfo(userId: number | undefined): { info: Info; reload: () => void } {
  const [round, setRound] = useState(0);
  const [info, setInfo] = useState<Info>({ status: 'loading' });
  useEffect(() => {
    if (userId === undefined) return undefined;
    const leaving = new AbortController();
    call(getChildUser, { userId: String(userId) }, { signal: leaving.signal })
      .then((child) => setInfo({ status: 'ready', child }))
      .catch((error: unknown) => {
        const why = messageOf(error);
        if (!leaving.signal.aborted) setInfo({ status: 'failed', why });
      });
    return () => leaving.abort();
  }, [userId, round]);
  return {
    info,
    reload: () => {
      setInfo({ status: 'loading' });
      setRound(round + 1);
    },
  };
}
