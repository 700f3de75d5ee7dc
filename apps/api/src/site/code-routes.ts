import { Refusal } from '@yiqiao/domain/errors';
import { QR_SIDE, QR_SIDE_MAX, QR_SIDE_MIN } from '@yiqiao/domain/limits';
import { languageOf } from '@yiqiao/contracts/envelope';
import type { Code, CodeSize } from '@yiqiao/contracts/service-codes';
import type { FastifyInstance } from 'fastify';
import { failureResponse } from '../platform/response-envelope.js';
import { FairLimiter } from '../platform/fair-limiter.js';
import { networkOf, type RateLimits } from '../platform/rate-limits.js';
import { drawCode, fitCode } from './code-picture.js';
import type { CustomerService } from './customer-service.js';
import { pictureIn } from './small-picture.js';

/** A PNG of exactly the size that its address names (decisions §9). */
const NAME = /^([0-9a-f]{24})-(\d{2,4})x(\d{2,4})\.png$/;
/** Pictures of these sizes, which the site shows, are drawn once and kept. */
const USUAL: ReadonlySet<string> = new Set(['160x160', '200x200', '320x320', `${QR_SIDE}x${QR_SIDE}`, '800x800']);
/** Of usual and of other sizes: a picture takes a few kilobytes. */
const KEPT = { usual: 256, other: 64 };
/** A picture takes milliseconds of the event loop, so pictures are drawn one after the other. */
const DRAWN = { width: 1, perKey: 8, total: 32, waitMs: 2_000 };

export type CodeServices = { service: CustomerService; limits: RateLimits };

/**
 * `GET /qr/<name>-<width>x<height>.png`: the pictures that the list of the customer service names. Unknown ones: 404. Sizes that the
 * site does not use are limited per address, so nobody occupies the process by asking for all of them (docs/decisions/0038).
 */
export function serveCodes(fastify: FastifyInstance, services: () => CodeServices): void {
  const usual = new Pictures(KEPT.usual);
  const other = new Pictures(KEPT.other);
  const gate = new FairLimiter(DRAWN);
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
      const png = await kept.get(file, () => gate.run(key, () => draw(code, size)));
      return await reply.header('Cache-Control', 'public, max-age=31536000, immutable').type('image/png').send(png);
    } catch (error) {
      if (error instanceof Refusal) return refuse(error);
      throw error;
    }
  });
}

/** Pictures that were drawn, those that were asked for last. */
class Pictures {
  readonly #drawn = new Map<string, Promise<Buffer>>();

  constructor(private readonly most: number) {}

  has(file: string): boolean {
    return this.#drawn.has(file);
  }

  get(file: string, draw: () => Promise<Buffer>): Promise<Buffer> {
    const picture = this.#drawn.get(file) ?? draw();
    // Set again, it is the newest.
    this.#drawn.delete(file);
    this.#drawn.set(file, picture);
    const [oldest] = this.#drawn.keys();
    if (this.#drawn.size > this.most && oldest !== undefined) this.#drawn.delete(oldest);
    picture.catch(() => this.#drawn.delete(file));
    return picture;
  }
}

const isSide = (pixels: number): boolean => pixels >= QR_SIDE_MIN && pixels <= QR_SIDE_MAX;

function draw({ picture, text }: Code, size: CodeSize): Promise<Buffer> {
  const given = pictureIn(picture);
  return given ? fitCode(given, size) : drawCode(text, size);
}
