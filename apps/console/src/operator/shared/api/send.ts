/** Sends every request to the operators' API: base path, session cookie, CSRF token, idempotency key, time-out, envelope. */
import { fillPath, type Endpoint, type Request, type Response } from '@yiqiao/contracts/endpoint';
import { OPERATOR_BASE_PATH } from '@yiqiao/contracts/operator/endpoint';
import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';
import { ApiError } from '../../../shared/api/api-error.js';
import { depart, envelopeIn, pathOf, replyOf, unreadable, type Send } from '../../../shared/api/exchange.js';
import { freshKey } from '../../../shared/api/fresh-key.js';
import { acceptLanguage } from '../../../shared/i18n/language.js';
import { reportAnswer } from './connection.js';

/** A refusal of the operators' API; operators quote its request id. */
export class OperatorApiError extends ApiError {
  constructor(
    message: string,
    details: ConstructorParameters<typeof ApiError>[1],
    readonly requestId: string | null,
  ) {
    super(message, details);
  }
}

let csrf: string | null = null;
/** Every write carries the token of the session, or none. */
export const writeWith = (token: string | null): void => {
  csrf = token;
};

const headersOf = (method: string): Record<string, string> => ({
  'Accept-Language': acceptLanguage,
  ...(method === 'GET' ? {} : { 'Idempotency-Key': freshKey() }),
  ...(method !== 'GET' && csrf !== null ? { 'X-CSRF-Token': csrf } : {}),
});

export const send: Send = async (outgoing) => {
  const trip = { outgoing, deadline: AbortSignal.timeout(CLIENT_TIMEOUT_MS) };
  const init = { headers: headersOf(outgoing.method), credentials: 'same-origin' } as const;
  const response = await depart(trip, OPERATOR_BASE_PATH + pathOf(outgoing), init).catch((error: unknown) => {
    if (error instanceof ApiError && error.code !== 'ABORTED') reportAnswer(false);
    throw error;
  });
  reportAnswer(true);
  const { text, http, retryAfter } = await replyOf(trip, response);
  const body = envelopeIn(text);
  if (!body) throw unreadable(http);
  if (body.success) return body.data;
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  throw new OperatorApiError(
    body.msg,
    {
      code: body.code,
      status: http,
      errors: body.errors ?? [],
      data: body.data ?? null,
      retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
    },
    response.headers.get('x-request-id'),
  );
};

/** Calls one endpoint of the contract outside of Refine. */
export async function call<E extends Endpoint>(endpoint: E, input: Request<E>): Promise<Response<E>> {
  const { method } = endpoint;
  const { path, rest } = fillPath(endpoint.path, input as Record<string, unknown>);
  return (await send({ method, path, ...(method === 'GET' ? { query: rest } : { body: rest }) })) as Response<E>;
}
