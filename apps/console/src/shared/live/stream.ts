/** One stream of the server, from its request to its end (decisions §9). */
import { BASE_PATH, type Failure } from '@yiqiao/contracts/envelope';
import { failureOf } from '../api/failures.js';
import { learnClock, requestHeaders, requestHeadersNow } from '../api/signed-headers.js';
import type { StreamEvent } from './read-stream.js';
import { ROUTES } from './notice-routes.js';
import { readStream } from './read-stream.js';

/** The heartbeat comes every 25 s; two of them missing is the end. */
const SILENCE_MS = 60_000;
const ANSWER_MS = 15_000;

const urlOf = ({ path }: { path: string }, clientId: string): string => BASE_PATH + path + clientId;

const isExpired = (status: number | undefined): boolean => status !== undefined && status >= 700 && status <= 777;

/** What a refusal means. An expired login is announced as everywhere; the rest is silent: what is on the screen polls. */
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
    // No answer, or given up: the same as an end.
  } finally {
    clearTimeout(deadline);
  }
}

/** Tells the server that a stream is over; outlives the page. Nobody waits for it: the server notices by itself, later. */
export function closeStream(clientId: string): void {
  void fetch(urlOf(ROUTES.close, clientId), {
    method: ROUTES.close.method,
    headers: requestHeadersNow(),
    keepalive: true,
    credentials: 'omit',
  }).catch(() => undefined);
}
