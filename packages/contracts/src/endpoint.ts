import { z } from 'zod';

/** Who may call: anybody · any signed-in member · main accounts only (specification §6). */
export type Access = 'public' | 'member' | 'main';

/**
 * One call of the API as a value: the server mounts it, the client calls it, the tests list it.
 * GET sends `request` as the query string, POST and DELETE as JSON. `response` is the shape of the envelope's `data`
 * and the whitelist of what may leave the server.
 */
export type Endpoint<Req extends z.ZodType = z.ZodType, Res extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'DELETE';
  path: `/${string}`;
  access: Access;
  request: Req;
  response: Res;
  /** Answers a file instead of the envelope; refusals are enveloped all the same. */
  file?: 'csv';
};

export const endpoint = <Req extends z.ZodType, Res extends z.ZodType>(e: Endpoint<Req, Res>): Endpoint<Req, Res> => e;

/** What the client sends. */
export type Request<E extends Endpoint> = z.input<E['request']>;
/** What the handler is given: defaults filled in, names tidied. */
export type Input<E extends Endpoint> = z.output<E['request']>;
/** What the handler answers. */
export type Answer<E extends Endpoint> = z.input<E['response']>;
/** What the client receives. */
export type Response<E extends Endpoint> = z.output<E['response']>;

/** For calls that answer a file. */
export const csvFile = z.never();

/** For calls that take nothing. */
export const nothing = z.strictObject({});
/** For calls that answer `true` (decisions §9). */
export const done = z.literal(true);
