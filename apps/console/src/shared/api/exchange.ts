/** One HTTP exchange with an API that answers in our envelope, whoever the caller is: addresses, time-out, failures without an answer. */
import type { Envelope } from '@yiqiao/contracts/envelope';
import { messagesOf } from '../i18n/messages.js';
import { ApiError } from './api-error.js';

const say = messagesOf('shared');

export type Outgoing = {
  method: string;
  /** Below the base path, e.g. `/user/get`. */
  path: string;
  query?: Record<string, unknown>;
  /** Sent as JSON, or as the form that it is. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

/** Sends one call and answers the envelope's `data`, or throws an ApiError. */
export type Send = (outgoing: Outgoing) => Promise<unknown>;

/** The path with its query, still below the base path. */
export const pathOf = ({ path, query = {} }: Pick<Outgoing, 'path' | 'query'>): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') search.set(key, String(value));
  return `${path}${search.size > 0 ? `?${search}` : ''}`;
};

/** One attempt: `deadline` is the time-out. */
export type Trip = { outgoing: Outgoing; deadline: AbortSignal };

/** No response. */
function noAnswer(cause: unknown, givenUp: boolean): ApiError {
  if (givenUp) return new ApiError('aborted', { code: 'ABORTED', status: 0 });
  const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError';
  return timedOut
    ? new ApiError(say('timeout'), { code: 'TIMEOUT', status: 0 })
    : new ApiError(say('network'), { code: 'NETWORK', status: 0 });
}

export const unreadable = (status: number): ApiError => new ApiError(say('badAnswer'), { code: 'BAD_ANSWER', status });

/** The ApiError for a broken connection. */
export const broken = ({ outgoing, deadline }: Trip, cause: unknown): ApiError =>
  noAnswer(deadline.aborted ? deadline.reason : cause, outgoing.signal?.aborted === true && !deadline.aborted);

type Init = { headers: Record<string, string>; credentials: RequestCredentials };

/** Sends to `url`; resolves with the headers, the body unread. */
export async function depart(trip: Trip, url: string, init: Init): Promise<Response> {
  const { outgoing, deadline } = trip;
  const { method, body, signal } = outgoing;
  try {
    return await fetch(url, {
      method,
      ...init,
      headers: {
        ...init.headers,
        ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
        ...outgoing.headers,
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      cache: 'no-store',
    });
  } catch (cause) {
    throw broken(trip, cause);
  }
}

/** A response, read to its end and not interpreted. */
export type Reply = { http: number; retryAfter: string | null; text: string };

export async function replyOf(trip: Trip, response: Response): Promise<Reply> {
  const text = await response.text().catch((cause: unknown) => {
    throw broken(trip, cause);
  });
  return { http: response.status, retryAfter: response.headers.get('retry-after'), text };
}

/** Null for anything else than an envelope, such as a proxy's page. */
export function envelopeIn(text: string): Envelope<unknown> | null {
  try {
    const body = JSON.parse(text) as Envelope<unknown> | null;
    return typeof body === 'object' ? body : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}
