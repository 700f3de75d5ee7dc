import type { CodeSize, Code } from '@yiqiao/contracts/service-codes';
import encodeQR from 'qr';
import sharp from 'sharp';
import { Refusal } from '@yiqiao/domain/errors';
import { QR_SIDE, QR_SIDE_MAX, QR_SIDE_MIN } from '@yiqiao/domain/limits';
import { languageOf } from '@yiqiao/contracts/envelope';
import type { FastifyInstance } from 'fastify';
import { failureResponse } from '../platform/response-envelope.js';
import { FairLimiter } from '../platform/fair-limiter.js';
import { networkOf, type RateLimits } from '../platform/rate-limits.js';
import type { CustomerService } from './customer-service.js';
import { decodePng } from './png-data-url.js';

/** The quiet zone around a code (ISO/IEC 18004), in modules: one is encoded, the others are left white. */
const QUIET = 4;

/** `text` as a QR code in a PNG of exactly `size` pixels, black on white. */
export function renderQrCode(text: string, { width, height }: CodeSize): Promise<Buffer> {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 1 });
  const side = Math.min(width, height);
  // Whole pixels per module keep the code readable; the rest of the picture stays white.
  const scale = Math.max(1, Math.floor(side / (modules.length + 2 * (QUIET - 1))));
  const rendered = Math.min(side, modules.length * scale);
  const [left, top] = [(width - rendered) >> 1, (height - rendered) >> 1];
  const pixels = Buffer.alloc(width * height, 0xff);
  for (const [at, row] of modules.entries()) {
    const y = top + at * scale;
    if (at * scale >= rendered) break;
    for (const [place, dark] of row.entries())
      if (dark)
        pixels.fill(0, y * width + left + place * scale, y * width + left + Math.min(rendered, (place + 1) * scale));
    // Repeat the line for the height of the module.
    for (let more = 1; more < scale && at * scale + more < rendered; more++)
      pixels.copyWithin((y + more) * width, y * width, (y + 1) * width);
  }
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .png({ colours: 2 })
    .toBuffer();
}

/** Resizes a given picture of a code to exactly `size` pixels on white. Rejects invalid pictures. */
export const resizeQrCode = (picture: Buffer, { width, height }: CodeSize): Promise<Buffer> =>
  sharp(picture, { limitInputPixels: 4_000_000 })
    .flatten({ background: '#ffffff' })
    .resize({ width, height, fit: 'contain', background: '#ffffff', kernel: 'nearest' })
    .png()
    .toBuffer();

/** The address of a PNG, with its size (decisions §9). */
const NAME = /^([0-9a-f]{24})-(\d{2,4})x(\d{2,4})\.png$/;
/** Sizes that the site shows. */
const USUAL: ReadonlySet<string> = new Set(['160x160', '200x200', '320x320', `${QR_SIDE}x${QR_SIDE}`, '800x800']);
/** Cached pictures of usual and of other sizes; each takes a few kilobytes. */
const CACHE_SIZE = { usual: 256, other: 64 };
/** Rendering blocks the event loop for milliseconds, so it runs one at a time. */
const RENDERING = { width: 1, perKey: 8, total: 32, waitMs: 2_000 };

export type CodeServices = { service: CustomerService; limits: RateLimits };

/**
 * `GET /qr/<name>-<width>x<height>.png`: the QR codes in the list of the customer service. Unknown ones: 404. Other sizes than the site's
 * are rate-limited per address, so that nobody can occupy the process with them (docs/decisions/0038).
 */
export function serveQrCodes(fastify: FastifyInstance, services: () => CodeServices): void {
  const usual = new PngCache(CACHE_SIZE.usual);
  const other = new PngCache(CACHE_SIZE.other);
  const gate = new FairLimiter(RENDERING);
  fastify.get<{ Params: { file: string } }>('/qr/:file', async (request, reply) => {
    const refuse = (refusal: Refusal) => {
      const { http, body } = failureResponse(refusal, languageOf(request.headers['accept-language']));
      const { retryAfterSeconds } = refusal.details;
      if (retryAfterSeconds !== undefined) void reply.header('Retry-After', retryAfterSeconds);
      return reply.status(http).header('Cache-Control', 'no-store').send(body);
    };
    const { file } = request.params;
    const { service, limits } = services();
    const [, name = '', width, height] = NAME.exec(file) ?? [];
    const size = { width: Number(width), height: Number(height) };
    const code = isSide(size.width) && isSide(size.height) ? await service.code(name) : null;
    if (!code) return refuse(new Refusal('NOT_FOUND'));
    const isUsual = USUAL.has(`${size.width}x${size.height}`);
    const kept = isUsual ? usual : other;
    try {
      if (!isUsual && !kept.has(file)) await limits.take('codePictures', request.ip);
      const key = isUsual ? 'usual' : networkOf(request.ip);
      const png = await kept.get(file, () => gate.run(key, () => render(code, size)));
      return await reply.header('Cache-Control', 'public, max-age=31536000, immutable').type('image/png').send(png);
    } catch (error) {
      if (error instanceof Refusal) return refuse(error);
      throw error;
    }
  });
}

/** Recently used pictures. */
class PngCache {
  readonly #rendered = new Map<string, Promise<Buffer>>();

  constructor(private readonly most: number) {}

  has(file: string): boolean {
    return this.#rendered.has(file);
  }

  get(file: string, render: () => Promise<Buffer>): Promise<Buffer> {
    const picture = this.#rendered.get(file) ?? render();
    // Reinsert as the most recent.
    this.#rendered.delete(file);
    this.#rendered.set(file, picture);
    const [oldest] = this.#rendered.keys();
    if (this.#rendered.size > this.most && oldest !== undefined) this.#rendered.delete(oldest);
    picture.catch(() => this.#rendered.delete(file));
    return picture;
  }
}

const isSide = (pixels: number): boolean => pixels >= QR_SIDE_MIN && pixels <= QR_SIDE_MAX;

function render({ picture, text }: Code, size: CodeSize): Promise<Buffer> {
  const given = decodePng(picture);
  return given ? resizeQrCode(given, size) : renderQrCode(text, size);
}
