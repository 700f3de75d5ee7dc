import { z } from 'zod';

/** Who may call: anybody · any signed-in member · main accounts only (specification §6) · bearers of an operator's token. */
export type Access = 'public' | 'member' | 'main' | 'operator';

/**
 * One call of the API as a value: the server mounts it, the client calls it, the tests list it.
 * GET sends `request` as the query string, POST and DELETE as JSON; a field whose name stands in the path as `:name` goes there
 * instead (`fillPath`). `response` is the shape of the envelope's `data` and the whitelist of what may leave the server.
 */
export type Endpoint<Req extends z.ZodType = z.ZodType, Res extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'DELETE';
  path: `/${string}`;
  access: Access;
  request: Req;
  response: Res;
  /** Takes a form with one file, named `file`, and the fields of `request` as texts beside it (multipart/form-data). */
  upload?: { maxBytes: number };
  /** Answers a file instead of the envelope; refusals are enveloped all the same. */
  file?: 'csv';
  /**
   * Answers server-sent events for as long as the connection lives: the shape of each event's data, by its name. Whatever is refused
   * is refused before the first of them, enveloped.
   */
  stream?: Readonly<Record<string, z.ZodType>>;
  /** Public, and yet it knows its caller when the request is signed; a signature that is there must be right. */
  mayBeSigned?: true;
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
/** For calls that answer a stream of events. */
export const eventStream = z.never();

/** The path with the fields of `input` that stand in it, and the fields that are left for query or body. */
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
