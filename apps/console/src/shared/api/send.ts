/** The one gate through which this client speaks to the API: base path, time-out, signature, envelope, clock. */
import { BASE_PATH, type Envelope } from '@yiqiao/contracts/envelope';
import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';
import type { ApiError } from './api-error.js';
import { failureOf, noAnswer, unreadable } from './failures.js';
import { learnClock, requestHeaders } from './signed-headers.js';

export type Outgoing = {
  method: string;
  /** Below the base path, e.g. `/user/get`. */
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

const urlOf = ({ path, query = {} }: Outgoing): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') search.set(key, String(value));
  return `${BASE_PATH}${path}${search.size > 0 ? `?${search}` : ''}`;
};

type Answered = { http: number; retryAfter: string | null; body: Envelope<unknown> };

async function exchange(outgoing: Outgoing): Promise<Answered> {
  const deadline = AbortSignal.timeout(CLIENT_TIMEOUT_MS);
  const { method, body, signal } = outgoing;
  let http = 0;
  try {
    const response = await fetch(urlOf(outgoing), {
      method,
      headers: {
        ...requestHeaders(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...outgoing.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      credentials: 'omit',
      cache: 'no-store',
    });
    http = response.status;
    const text = await response.text();
    return { http, retryAfter: response.headers.get('retry-after'), body: JSON.parse(text) as Envelope<unknown> };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw noAnswer(cause, signal?.aborted === true && !deadline.aborted);
    // A proxy's page instead of an envelope. 500 and 401 keep their meaning, whatever is written in it.
    throw http >= 400 ? plainFailure(http) : unreadable(http);
  }
}

const plainFailure = (http: number): ApiError =>
  failureOf(http, { code: http === 401 ? 'UNAUTHORIZED' : 'SERVER_ERROR', status: http }, null);

const serverTimeOf = ({ body }: Answered): number | null => {
  if (body.success || body.status !== 705) return null;
  const serverTime = body.data?.['serverTime'];
  return typeof serverTime === 'number' ? serverTime : null;
};

/** Answers the envelope's `data`, or throws an ApiError. A stale clock is learned and the call made once more. */
export async function send(outgoing: Outgoing): Promise<unknown> {
  let answered = await exchange(outgoing);
  const serverTime = serverTimeOf(answered);
  if (serverTime !== null) {
    learnClock(serverTime);
    answered = await exchange(outgoing);
  }
  const { body, http, retryAfter } = answered;
  if (typeof body !== 'object' || body === null) throw unreadable(http);
  if (!body.success) throw failureOf(http, body, retryAfter);
  return body.data;
}
