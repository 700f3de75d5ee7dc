import type { Response } from '@yiqiao/contracts/endpoint';
import type { tryText } from '@yiqiao/contracts/translation';
import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ApiError, messageOf } from '../../../../shared/api/api-error.js';
import { callRoute } from '../../../../shared/api/call.js';
import { messagesOf } from '../../../../shared/i18n/messages.js';
import type { Direction } from './direction.js';

export type Tried = Response<typeof tryText>;
export type Row = Tried['channels'][number];

const TRY = { method: 'POST', path: '/translation/try' } as const satisfies Pick<typeof tryText, 'method' | 'path'>;

export type Outcome =
  | { readonly state: 'none' }
  | { readonly state: 'busy' }
  | { readonly state: 'refused'; readonly why: string }
  | { readonly state: 'done'; readonly text: string; readonly direction: Direction; readonly tried: Tried };

const say = messagesOf('try');

/** When the limit allows another try. */
function waitText(seconds: number): string {
  if (seconds < 60) return say('seconds', { n: seconds });
  if (seconds < 3_600) return say('minutes', { n: Math.ceil(seconds / 60) });
  return say('hours', { n: Math.ceil(seconds / 3_600) });
}

function whyOf(error: unknown): string {
  if (!(error instanceof ApiError)) {
    reportError(error);
    return say('broken');
  }
  if (error.code === 'TOO_MANY_REQUESTS') return say('limit', { wait: waitText(error.retryAfterSeconds ?? 60) });
  if (error.code === 'NETWORK' && !navigator.onLine) return say('offline');
  return messageOf(error) ?? say('broken');
}

/** Sends a sentence; the answer to an earlier one is dropped. */
export function useTry(): { outcome: Outcome; ask: (text: string, direction: Direction) => Promise<void> } {
  const [outcome, setOutcome] = useState<Outcome>({ state: 'none' });
  const latest = useRef<AbortController>(undefined);
  useEffect(() => () => latest.current?.abort(), []);
  const ask = async (text: string, direction: Direction): Promise<void> => {
    latest.current?.abort();
    const own = new AbortController();
    latest.current = own;
    const set = (next: Outcome): void => {
      if (!own.signal.aborted) setOutcome(next);
    };
    set({ state: 'busy' });
    try {
      const tried = await callRoute<typeof tryText>(TRY, { ...direction, text }, { signal: own.signal });
      set({ state: 'done', text, direction, tried });
    } catch (error) {
      if (!own.signal.aborted) set({ state: 'refused', why: whyOf(error) });
    }
  };
  return { outcome, ask };
}

/** The text of a field that this component did not render, also what was typed before it was there. */
export function useFieldText(field: RefObject<HTMLTextAreaElement | null>): [string, (text: string) => void] {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const element = field.current;
      element?.addEventListener('input', onChange);
      return () => element?.removeEventListener('input', onChange);
    },
    [field],
  );
  const text = useSyncExternalStore(subscribe, () => field.current?.value ?? '');
  const setText = (next: string): void => {
    if (!field.current) return;
    field.current.value = next;
    field.current.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return [text, setText];
}
