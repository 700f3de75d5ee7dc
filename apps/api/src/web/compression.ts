import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Content encodings, best compression first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * Compresses dynamic answers over a kilobyte, optimized for speed; public pages are compressed once. Register it before any route: the
 * plugin sees only routes registered after it.
 */
export const compressText = async (fastify: FastifyInstance): Promise<void> => {
  // Request bodies are not decompressed: a small body must not expand into a large one.
  await fastify.register(compress, { encodings: [...ENCODINGS], threshold: 1024, globalDecompression: false });
};

/** A coding with a weight of zero is refused. */
const REFUSED = /;\s*q=0(?:\.0*)?$/;

/** Our preferred encoding among those that the client accepts (RFC 9110 §12.5.3). */
export function encodingFor({ headers }: Pick<FastifyRequest, 'headers'>): Encoding {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const accepts = (name: string): boolean | undefined => {
    const found = accepted.find((coding) => coding === name || coding.startsWith(`${name};`));
    return found === undefined ? undefined : !REFUSED.test(found);
  };
  return ENCODINGS.find((name) => name === 'identity' || (accepts(name) ?? accepts('*') ?? false)) ?? 'identity';
}

const compressors = {
  br: (text: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: Buffer): Promise<Buffer> => promisify(gzip)(text, { level: 9 }),
  identity: (text: Buffer): Promise<Buffer> => Promise.resolve(text),
};

const compressedPages = new WeakMap<object, Map<Encoding, Promise<Buffer>>>();

/** The bytes of a page in an encoding, compressed once per page object. */
export function compressed(page: { readonly html: string }, encoding: Encoding): Promise<Buffer> {
  const known = compressedPages.get(page) ?? new Map<Encoding, Promise<Buffer>>();
  compressedPages.set(page, known);
  const bytes = known.get(encoding) ?? compressors[encoding](Buffer.from(page.html));
  known.set(encoding, bytes);
  return bytes;
}
