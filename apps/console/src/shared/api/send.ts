/** Sends every request to the members' API: base path, time-out, signature, envelope, clock. */
import { BASE_PATH, type Envelope } from '@yiqiao/contracts/envelope';
import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';
import type { ApiError } from './api-error.js';
import {
  depart,
  envelopeIn,
  pathOf,
  replyOf,
  unreadable,
  type Outgoing,
  type Reply,
  type Send,
  type Trip,
} from './exchange.js';
import { failureOf } from './failures.js';
import { learnClock, requestHeaders } from './signed-headers.js';

export const urlOf = (outgoing: Outgoing): string => BASE_PATH + pathOf(outgoing);

/** Signs and sends; resolves with the headers, the body unread. */
const signedTrip = async (trip: Trip): Promise<Response> =>
  depart(trip, urlOf(trip.outgoing), { headers: await requestHeaders(), credentials: 'omit' });

type Answered = { http: number; retryAfter: string | null; body: Envelope<unknown> };

function envelopeOf({ http, retryAfter, text }: Reply): Answered {
  const body = envelopeIn(text);
  if (body) return { http, retryAfter, body };
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
export const send: Send = (outgoing) =>
  dataOf(async () => {
    const trip = { outgoing, deadline: AbortSignal.timeout(CLIENT_TIMEOUT_MS) };
    return replyOf(trip, await signedTrip(trip));
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
    const response = await signedTrip(trip);
    if (response.ok) return response;
    const answered = envelopeOf(await replyOf(trip, response));
    if (again && learnedFrom(answered)) continue;
    const { body, http, retryAfter } = answered;
    throw body.success ? unreadable(http) : failureOf(http, body, retryAfter);
  }
}
