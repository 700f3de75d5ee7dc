/** One stream of the server, from its request to its end (decisions §9). */
import { BASE_PATH, type Failure } from '@yiqiao/contracts/envelope';
import { failureOf } from '../api/failures.js';
import { learnClock, requestHeaders, requestHeadersNow } from '../api/signed-headers.js';
import type { StreamEvent } from './read-stream.js';
import { ROUTES } from './notice-routes.js';
import { readStream } from './read-stream.js';

/** Heartbeats arrive every 25 s; the stream is over when two are missing. */
const SILENCE_MS = 60_000;
const ANSWER_MS = 15_000;

const urlOf = ({ path }: { path: string }, clientId: string): string => BASE_PATH + path + clientId;

const isExpired = (status: number | undefined): boolean => status !== undefined && status >= 700 && status <= 777;

/** The meaning of a refusal. An expired login is announced as usual; all others are silent, because pages poll. */
async function refused(response: Response): Promise<void> {
  const body = (await response.json().catch(() => ({}))) as Partial<Failure>;
  const serverTime = body.data?.['serverTime'];
  if (body.status === 705 && typeof serverTime === 'number') learnClock(serverTime);
  else if (isExpired(body.status)) failureOf(response.status, body, null);
}

type Following = { clientId: string; signal: AbortSignal; onEvent: (event: StreamEvent) => void };

/** Follows a stream until it is over, for whatever reason. Never throws. */
export async function followStream({ clientId, signal, onEvent }: Following): Promise<void> {
  const slow = new AbortController();
  const deadline = setTimeout(() => slow.abort(), ANSWER_MS);
  try {
    const response = await fetch(urlOf(ROUTES.open, clientId), {
      headers: { ...(await requestHeaders()), Accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, slow.signal]),
      credentials: 'omit',
      cache: 'no-store',
    });
    clearTimeout(deadline);
    if (!response.ok) await refused(response);
    else if (response.body) await readStream({ body: response.body, onEvent, silenceMs: SILENCE_MS });
  } catch {
    // No response or aborted: the same as an end.
  } finally {
    clearTimeout(deadline);
  }
}

/** Notifies the server that a stream is over; outlives the page. Not awaited: the server would notice later. */
export function closeStream(clientId: string): void {
  void fetch(urlOf(ROUTES.close, clientId), {
    method: ROUTES.close.method,
    headers: requestHeadersNow(),
    keepalive: true,
    credentials: 'omit',
  }).catch(() => undefined);
}
