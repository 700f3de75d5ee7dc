/** Sends every request to the API: base path, time-out, signature, envelope, clock. */
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

/** The path with its query, still below the base path. */
export const pathOf = ({ path, query = {} }: Pick<Outgoing, 'path' | 'query'>): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') search.set(key, String(value));
  return `${path}${search.size > 0 ? `?${search}` : ''}`;
};

export const urlOf = (outgoing: Outgoing): string => BASE_PATH + pathOf(outgoing);

/** One attempt: `deadline` is the time-out. */
export type Trip = { outgoing: Outgoing; deadline: AbortSignal };

/** The ApiError for a broken connection. */
export const broken = ({ outgoing, deadline }: Trip, cause: unknown): ApiError =>
  noAnswer(deadline.aborted ? deadline.reason : cause, outgoing.signal?.aborted === true && !deadline.aborted);

/** Signs and sends; resolves with the headers, the body unread. */
async function depart(trip: Trip): Promise<Response> {
  const { outgoing, deadline } = trip;
  const { method, body, signal } = outgoing;
  try {
    return await fetch(urlOf(outgoing), {
      method,
      headers: {
        ...(await requestHeaders()),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...outgoing.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      credentials: 'omit',
      cache: 'no-store',
    });
  } catch (cause) {
    throw broken(trip, cause);
  }
}

/** A response, read to its end and not interpreted. */
export type Reply = { http: number; retryAfter: string | null; text: string };
type Answered = { http: number; retryAfter: string | null; body: Envelope<unknown> };

async function replyOf(trip: Trip, response: Response): Promise<Reply> {
  const text = await response.text().catch((cause: unknown) => {
    throw broken(trip, cause);
  });
  return { http: response.status, retryAfter: response.headers.get('retry-after'), text };
}

function envelopeOf({ http, retryAfter, text }: Reply): Answered {
  try {
    const body = JSON.parse(text) as Envelope<unknown> | null;
    if (typeof body === 'object' && body !== null) return { http, retryAfter, body };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  // A proxy's page instead of an envelope. 500 and 401 keep their meaning, whatever is written in it.
  throw http >= 400 ? plainFailure(http) : unreadable(http);
}

const plainFailure = (http: number): ApiError =>
  failureOf(http, { code: http === 401 ? 'UNAUTHORIZED' : 'SERVER_ERROR', status: http }, null);

/** Whether the server refused our clock: it is corrected then, and the request can be repeated. */
function learnedFrom({ body }: Answered): boolean {
  if (body.success || body.status !== 705) return false;
  const serverTime = body.data?.['serverTime'];
  if (typeof serverTime !== 'number') return false;
  learnClock(serverTime);
  return true;
}

/** Answers the envelope's `data`, or throws an ApiError. A stale clock is learned and the call made once more. */
export const send = (outgoing: Outgoing): Promise<unknown> =>
  dataOf(async () => {
    const trip = { outgoing, deadline: AbortSignal.timeout(CLIENT_TIMEOUT_MS) };
    return replyOf(trip, await depart(trip));
  });

/** The same for whatever makes one attempt at a call. */
export async function dataOf(attempt: () => Promise<Reply>): Promise<unknown> {
  let answered = envelopeOf(await attempt());
  if (learnedFrom(answered)) answered = envelopeOf(await attempt());
  const { body, http, retryAfter } = answered;
  if (!body.success) throw failureOf(http, body, retryAfter);
  return body.data;
}

/** Starts a download and returns the response with its body unread. Refusals are thrown as by `send`. */
export async function open(trip: Trip): Promise<Response> {
  for (let again = true; ; again = false) {
    const response = await depart(trip);
    if (response.ok) return response;
    const answered = envelopeOf(await replyOf(trip, response));
    if (again && learnedFrom(answered)) continue;
    const { body, http, retryAfter } = answered;
    throw body.success ? unreadable(http) : failureOf(http, body, retryAfter);
  }
}
