import { translateText } from '@yiqiao/contracts/translation';
import { useRef, useState } from 'react';
import { ApiError } from '../../../shared/api/api-error.js';
import { unreadable } from '../../../shared/api/exchange.js';
import { freshKey } from '../../../shared/api/fresh-key.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { refreshUser } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { toast } from '../../../shared/ui/toast.js';
import type { Pane, Panes, Question } from './panes.js';
import { keyOf, readRefusal, type Attempt } from './refusal.js';
import type { AddToHistory, TextRequest } from './history.js';

/**
 * Sends a text to several channels at once and shows each answer as it arrives, independently of the others. Each
 * attempt has an Idempotency-Key of its own. A channel translates one text at a time.
 */
export function useComparison(addToHistory: AddToHistory) {
  const t = useMessages('translation-test');
  const { mutateAsync } = useEndpointMutation(translateText, { onError: () => undefined }); // shown in the pane
  const [panes, setPanes] = useState<Panes>(new Map());
  const [latest, setLatest] = useState<Question | null>(null);
  const last = useRef(new Map<number, Attempt & { outcome: 'known' | 'unknown' }>());
  const running = useRef(new Set<number>());
  /** Success is announced once per press of the button, with the first answer. */
  const announced = useRef(false);
  const put = (id: number, pane: Pane): void => setPanes((before) => new Map(before).set(id, pane));

  const ask = async (channelId: number, request: TextRequest): Promise<void> => {
    if (running.current.has(channelId)) return;
    if (running.current.size === 0) announced.current = false;
    running.current.add(channelId);
    put(channelId, { status: 'busy', request });
    setLatest(request);
    const body = JSON.stringify(request);
    const attempt = { body, key: keyOf(body, last.current.get(channelId), freshKey()) };
    const begun = performance.now();
    try {
      const answer = await mutateAsync(request, attempt.key);
      if ('items' in answer) throw unreadable(200); // the answer to several texts
      const done = { channelId, request, answer, seconds: (performance.now() - begun) / 1000 };
      last.current.set(channelId, { ...attempt, outcome: 'known' });
      put(channelId, { status: 'done', done });
      addToHistory(done, 'text');
      if (!announced.current) toast.success(t('translatedWell'));
      announced.current = true;
      // Refreshes the balance; a failure does not affect the translation.
      refreshUser().catch(() => undefined);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const outcome = readRefusal(error.code).charged === 'unknown' ? 'unknown' : 'known';
      last.current.set(channelId, { ...attempt, outcome });
      put(channelId, { status: 'refused', request, error });
    } finally {
      running.current.delete(channelId);
    }
  };

  return {
    panes,
    /** The last request, of whichever channel. */
    latest,
    ask: (channelId: number, request: TextRequest): void => void ask(channelId, request),
    /** Removes answers and refusals; pending requests stay. */
    reset: (): void => setPanes((before) => new Map([...before].filter(([, { status }]) => status === 'busy'))),
  };
}
