import type { Endpoint, Request, Response } from '@yiqiao/contracts/endpoint';
import { send } from './send.js';

export type CallOptions = {
  /** 1–64 of `[A-Za-z0-9_-]`: the same key and body are applied once (decisions §1). */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/**
 * Calls one endpoint of the contract: `await call(getUser, {})`.
 * Throws ApiError; expired logins, 401 and 500 have then been announced already (`messageOf` knows).
 */
export const call = <E extends Endpoint>(
  endpoint: E,
  input: Request<E>,
  options: CallOptions = {},
): Promise<Response<E>> => callRoute<E>(endpoint, input, options);

/** The same for an endpoint of which only the type is known: its schemas are no part of what visitors download. */
export async function callRoute<E extends Endpoint>(
  { method, path }: Pick<E, 'method' | 'path'>,
  input: Request<E>,
  { idempotencyKey, signal }: CallOptions = {},
): Promise<Response<E>> {
  const data = await send({
    method,
    path,
    ...(method === 'GET' ? { query: input as Record<string, unknown> } : { body: input }),
    ...(idempotencyKey ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
    ...(signal ? { signal } : {}),
  });
  // The contract test of the server proves this shape; validating again here would only cost the person time.
  return data as Response<E>;
}
