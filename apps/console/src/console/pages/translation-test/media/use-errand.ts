import { useRef, useState } from 'react';
import { ApiError } from '../../../../shared/api/api-error.js';
import { freshKey } from '../../../../shared/api/fresh-key.js';
import { keyOf, type Attempt } from '../refusal.js';
import type { Errand } from './errand.js';
import { readMediaRefusal } from './media-refusal.js';

export type Transport = { idempotencyKey: string; signal: AbortSignal; onSent: (share: number) => void };
type Work<Asked, Answer> = {
  /** Equal for two attempts that may share one answer. */
  bodyOf: (asked: Asked) => string;
  run: (asked: Asked, transport: Transport) => Promise<Answer>;
  onDone: (answer: Answer, asked: Asked, seconds: number) => void;
};

/**
 * Does one thing at a time with a file. It can be given up; what became of it is not known then, so the same asked again goes under the
 * same Idempotency-Key and is charged once.
 */
export function useErrand<Asked, Answer>({ bodyOf, run, onDone }: Work<Asked, Answer>) {
  const [errand, setErrand] = useState<Errand<Asked, Answer>>({ status: 'none' });
  const last = useRef<Attempt & { outcome: 'known' | 'unknown' }>(undefined);
  const running = useRef<AbortController>(undefined);

  const start = async (asked: Asked): Promise<void> => {
    if (running.current) return;
    const mine = (running.current = new AbortController());
    setErrand({ status: 'busy', asked, sent: 0 });
    const body = bodyOf(asked);
    const attempt = { body, key: keyOf(body, last.current, freshKey()) };
    const begun = performance.now();
    const onSent = (sent: number): void => setErrand((now) => (now.status === 'busy' ? { ...now, sent } : now));
    try {
      const answer = await run(asked, { idempotencyKey: attempt.key, signal: mine.signal, onSent });
      const seconds = (performance.now() - begun) / 1000;
      last.current = { ...attempt, outcome: 'known' };
      setErrand({ status: 'done', asked, answer, seconds });
      onDone(answer, asked, seconds);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      last.current = { ...attempt, outcome: readMediaRefusal(error.code).charged === 'unknown' ? 'unknown' : 'known' };
      setErrand({ status: 'refused', asked, error });
    } finally {
      running.current = undefined;
    }
  };

  return {
    errand,
    start: (asked: Asked): void => void start(asked),
    giveUp: (): void => running.current?.abort(),
    /** Away with an answer or a refusal; what is under way stays. */
    clear: (): void => setErrand((now) => (now.status === 'busy' ? now : { status: 'none' })),
  };
}
