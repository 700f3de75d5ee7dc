import { listSale } from '@yiqiao/contracts/plans';
import { useEffect, useState } from 'react';
import { ApiError, messageOf } from '../../shared/api/api-error.js';
import { call } from '../../shared/api/call.js';
import type { Plan } from './plan.js';

export type Plans =
  { status: 'loading' } | { status: 'failed'; why: string | null } | { status: 'ready'; plans: readonly Plan[] };

/** What is on sale. Public pages have no query client, and this needs none. */
export function usePlans(): { state: Plans; reload: () => void } {
  const [state, setState] = useState<Plans>({ status: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const end = new AbortController();
    call(listSale, {}, { signal: end.signal }).then(
      (plans) => setState({ status: 'ready', plans }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (!end.signal.aborted) setState({ status: 'failed', why: messageOf(error) });
      },
    );
    return () => end.abort();
  }, [attempt]);
  const reload = (): void => {
    setState({ status: 'loading' });
    setAttempt((n) => n + 1);
  };
  return { state, reload };
}
