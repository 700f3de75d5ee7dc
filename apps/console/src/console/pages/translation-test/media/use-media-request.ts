import { useRef, useState } from 'react';
import { ApiError } from '../../../../shared/api/api-error.js';
import { freshKey } from '../../../../shared/api/fresh-key.js';
import { type Attempt, keyOf } from '../refusal.js';
import { readMediaRefusal } from './media-refusal.js';

/** The state of an upload: idle, pending, answered or refused. `sent`: the uploaded share, from 0 to 1. */
type MediaRequest<Input, Answer> =
  | { status: 'none' }
  | { status: 'busy'; input: Input; sent: number }
  | { status: 'done'; input: Input; answer: Answer; seconds: number }
  | { status: 'refused'; input: Input; error: ApiError };

export type Transport = { idempotencyKey: string; signal: AbortSignal; onSent: (share: number) => void };
type Work<Input, Answer> = {
  /** Equal for two attempts that may share a result. */
  bodyOf: (input: Input) => string;
  run: (input: Input, transport: Transport) => Promise<Answer>;
  onDone: (answer: Answer, input: Input, seconds: number) => void;
};

/**
 * One request with a file at a time. It can be cancelled; its outcome is then unknown, so the same input is sent again under the
 * same Idempotency-Key and is charged once.
 */
export function useMediaRequest<Input, Answer>({ bodyOf, run, onDone }: Work<Input, Answer>) {
  const [request, setRequest] = useState<MediaRequest<Input, Answer>>({ status: 'none' });
  const last = useRef<Attempt & { outcome: 'known' | 'unknown' }>(undefined);
  const running = useRef<AbortController>(undefined);

  const start = async (input: Input): Promise<void> => {
    if (running.current) return;
    const mine = (running.current = new AbortController());
    setRequest({ status: 'busy', input, sent: 0 });
    const body = bodyOf(input);
    const attempt = { body, key: keyOf(body, last.current, freshKey()) };
    const begun = performance.now();
    const onSent = (sent: number): void => setRequest((now) => (now.status === 'busy' ? { ...now, sent } : now));
    try {
      const answer = await run(input, { idempotencyKey: attempt.key, signal: mine.signal, onSent });
      const seconds = (performance.now() - begun) / 1000;
      last.current = { ...attempt, outcome: 'known' };
      setRequest({ status: 'done', input, answer, seconds });
      onDone(answer, input, seconds);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      last.current = { ...attempt, outcome: readMediaRefusal(error.code).charged === 'unknown' ? 'unknown' : 'known' };
      setRequest({ status: 'refused', input, error });
    } finally {
      running.current = undefined;
    }
  };

  return {
    request,
    start: (input: Input): void => void start(input),
    giveUp: (): void => running.current?.abort(),
    /** Clears an answer or a refusal; a pending request stays. */
    clear: (): void => setRequest((now) => (now.status === 'busy' ? now : { status: 'none' })),
  };
}
