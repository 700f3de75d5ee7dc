import { z } from 'zod';

import type { ApiKeyScope } from './api-key-scopes.js';

/** Permitted callers: anybody · any signed-in member · main accounts only (specification §6) · bearers of an operator's token · of an API key. */
export type Access = 'public' | 'member' | 'main' | 'operator' | 'key';

/**
 * One call of the API as a value: the server mounts it, the client calls it, the tests list it.
 * GET sends `request` as the query string, POST and DELETE as JSON; a field that the path names as `:name` goes there instead (`fillPath`).
 * `response` is the schema of the envelope's `data` and the allow-list of fields that leave the server.
 */
export type Endpoint<Req extends z.ZodType = z.ZodType, Res extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'DELETE';
  path: `/${string}`;
  /** What the path is below, where it is not BASE_PATH. */
  base?: `/${string}`;
  access: Access;
  /** What an API key must be allowed to do, where `access` is `key`. */
  scope?: ApiKeyScope;
  request: Req;
  response: Res;
  /** Takes a form with one file, named `file`, and the fields of `request` as texts beside it (multipart/form-data). */
  upload?: { maxBytes: number };
  /** Returns a file instead of the envelope; refusals have the envelope all the same. */
  file?: 'csv' | 'json';
  /**
   * Returns server-sent events while the connection is open: the schema of each event's data by its name. Refusals come before the first
   * event, in the envelope.
   */
  stream?: Readonly<Record<string, z.ZodType>>;
  /** A GET that may change something. */
  changes?: true;
  /** Public, but identifies the caller when the request is signed; a signature that is present must be valid. */
  mayBeSigned?: true;
};

export const endpoint = <Req extends z.ZodType, Res extends z.ZodType>(e: Endpoint<Req, Res>): Endpoint<Req, Res> => e;

/** The input of the client. */
export type Request<E extends Endpoint> = z.input<E['request']>;
/** The input of the handler: with defaults and normalised names. */
export type Input<E extends Endpoint> = z.output<E['request']>;
/** The result of the handler. */
export type Answer<E extends Endpoint> = z.input<E['response']>;
/** The data that the client receives. */
export type Response<E extends Endpoint> = z.output<E['response']>;

/** For endpoints that return a file, by its kind. */
export const csvFile = z.never();
export const jsonFile = z.never();
/** For endpoints that return an event stream. */
export const eventStream = z.never();

/** The path with its parameters filled from `input`, and the remaining fields for query or body. */
export function fillPath(
  path: string,
  input: Readonly<Record<string, unknown>>,
): { path: string; rest: Record<string, unknown> } {
  const rest = { ...input };
  const filled = path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { path: filled, rest };
}

/** For calls that take nothing. */
export const nothing = z.strictObject({});
/** For calls that answer `true` (decisions §9). */
export const done = z.literal(true);
