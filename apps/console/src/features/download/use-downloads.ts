import type { getDataConfig } from '@yiqiao/contracts/site';
import { useEffect, useState } from 'react';
import { ApiError, messageOf } from '../../shared/api/api-error.js';
import { send } from '../../shared/api/send.js';
import { language } from '../../shared/i18n/language.js';
import { softwareIn, type Software } from './downloads.js';

export type Downloads =
  { status: 'loading' } | { status: 'failed'; why: string | null } | { status: 'ready'; software: readonly Software[] };

// The address alone: the endpoint itself would bring the checks of every contract beside it.
const READ = { method: 'GET', path: '/dataCus/get' } as const satisfies Pick<typeof getDataConfig, 'method' | 'path'>;

const NOT_FOUND = 404;

/** A key that nobody has set is a shelf with nothing on it. */
async function softwareOnOffer(signal: AbortSignal): Promise<Software[]> {
  try {
    const { valued } = (await send({ ...READ, query: { id: 'SOFT_DOWNLOAD_CONFIG' }, signal })) as { valued: string };
    return softwareIn(valued, language);
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return [];
    throw error;
  }
}

/** What there is to download. */
export function useDownloads(): { state: Downloads; reload: () => void } {
  const [state, setState] = useState<Downloads>({ status: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const end = new AbortController();
    softwareOnOffer(end.signal).then(
      (software) => setState({ status: 'ready', software }),
      (error: unknown) => {
        if (!end.signal.aborted)
          setState({ status: 'failed', why: error instanceof ApiError ? messageOf(error) : null });
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
