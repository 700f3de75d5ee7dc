import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How text may travel, the shortest first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * What is written for one answer and is over a kilobyte travels packed, quickly rather than as small as can be; what is the same for
 * everybody is packed beforehand. Awaited before any route exists: the plugin sees only routes that come after it.
 */
export const compressText = async (fastify: FastifyInstance): Promise<void> => {
  // What is sent to us is taken as it is: a small body must not unpack into a large one.
  await fastify.register(compress, { encodings: [...ENCODINGS], threshold: 1024, globalDecompression: false });
};

/** A coding that is named with a weight of zero is refused; `*` stands for those that are not named. */
const REFUSED = /;\s*q=0(?:\.0*)?$/;

/** The best way that the client takes (RFC 9110 §12.5.3): by our preference, for all of ours carry the same. */
export function encodingFor({ headers }: Pick<FastifyRequest, 'headers'>): Encoding {
  const asked = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const taken = (name: string): boolean | undefined => {
    const found = asked.find((coding) => coding === name || coding.startsWith(`${name};`));
    return found === undefined ? undefined : !REFUSED.test(found);
  };
  return ENCODINGS.find((name) => name === 'identity' || (taken(name) ?? taken('*') ?? false)) ?? 'identity';
}

const pack = {
  br: (text: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: Buffer): Promise<Buffer> => promisify(gzip)(text, { level: 9 }),
  identity: (text: Buffer): Promise<Buffer> => Promise.resolve(text),
};

const packings = new WeakMap<object, Map<Encoding, Promise<Buffer>>>();

/** The bytes of a page in an encoding, made once for as long as the page lives. */
export function packed(page: { readonly html: string }, encoding: Encoding): Promise<Buffer> {
  const known = packings.get(page) ?? new Map<Encoding, Promise<Buffer>>();
  packings.set(page, known);
  const bytes = known.get(encoding) ?? pack[encoding](Buffer.from(page.html));
  known.set(encoding, bytes);
  return bytes;
}
