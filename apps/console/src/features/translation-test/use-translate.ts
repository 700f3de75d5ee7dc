import { useRef, useState } from 'react';
import { ApiError } from '../../shared/api/api-error.js';
import { freshKey } from '../../shared/api/fresh-key.js';
import { refreshUser } from '../../shared/auth/user.js';
import { useCountdown } from '../../shared/form/use-countdown.js';
import { keyOf, readRefusal, type Attempt } from './refusal.js';
import { translateOne, type Answer, type Asked } from './translate-one.js';

export type Done = { asked: Asked; answer: Answer; seconds: number; at: Date };

export type Translation =
  | { status: 'idle' }
  | { status: 'busy' }
  | { status: 'done'; done: Done }
  | { status: 'refused'; asked: Asked; error: ApiError };

const HISTORY = 20;

/** One translation at a time, each attempt under its Idempotency-Key, and those that succeeded during this visit. */
export function useTranslate() {
  const [translation, setTranslation] = useState<Translation>({ status: 'idle' });
  const [history, setHistory] = useState<readonly Done[]>([]);
  const last = useRef<(Attempt & { outcome: 'known' | 'unknown' }) | null>(null);
  const busy = useRef(false);
  const wait = useCountdown();

  const send = async (asked: Asked): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    setTranslation({ status: 'busy' });
    const attempt = { body: JSON.stringify(asked), key: '' };
    attempt.key = keyOf(attempt.body, last.current, freshKey());
    const begun = performance.now();
    try {
      const answer = await translateOne(asked, attempt.key);
      const done = { asked, answer, seconds: (performance.now() - begun) / 1000, at: new Date() };
      last.current = { ...attempt, outcome: 'known' };
      setTranslation({ status: 'done', done });
      setHistory((before) => [done, ...before].slice(0, HISTORY));
      // The new balance; the translation stands even if this fails.
      refreshUser().catch(() => undefined);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      last.current = { ...attempt, outcome: readRefusal(error.code).charged === 'unknown' ? 'unknown' : 'known' };
      if (error.retryAfterSeconds !== null) wait.start(error.retryAfterSeconds);
      setTranslation({ status: 'refused', asked, error });
    } finally {
      busy.current = false;
    }
  };

  return {
    translation,
    history,
    wait,
    send: (asked: Asked) => void send(asked),
    reset: () => setTranslation((now) => (now.status === 'busy' ? now : { status: 'idle' })),
  };
}
