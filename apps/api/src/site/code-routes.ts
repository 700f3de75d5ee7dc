import { Refusal } from '@yiqiao/domain/errors';
import { QR_SIDE_MAX, QR_SIDE_MIN } from '@yiqiao/domain/limits';
import { languageOf } from '@yiqiao/contracts/envelope';
import type { Code, CodeSize } from '@yiqiao/contracts/service-codes';
import type { FastifyInstance } from 'fastify';
import { failure } from '../platform/answers.js';
import { drawCode, fitCode } from './code-picture.js';
import type { CustomerService } from './customer-service.js';
import { pictureIn } from './small-picture.js';

/** A PNG of exactly the size that its address names (decisions §9). */
const NAME = /^([0-9a-f]{24})-(\d{2,4})x(\d{2,4})\.png$/;
/** Of pictures that were drawn: each takes a few kilobytes, and the site asks for three sizes. */
const KEPT = 64;

/** `GET /qr/<name>-<width>x<height>.png`: the pictures that the list of the customer service names. Unknown ones: 404. */
export function serveCodes(fastify: FastifyInstance, service: () => CustomerService): void {
  const drawn = new Map<string, Promise<Buffer>>();
  const picture = (file: string, code: Code, size: CodeSize): Promise<Buffer> => {
    const known = drawn.get(file);
    if (known) return known;
    const [oldest] = drawn.keys();
    if (drawn.size >= KEPT && oldest !== undefined) drawn.delete(oldest);
    const drawing = draw(code, size);
    drawn.set(file, drawing);
    drawing.catch(() => drawn.delete(file));
    return drawing;
  };
  fastify.get<{ Params: { file: string } }>('/qr/:file', async (request, reply) => {
    const { file } = request.params;
    const [, name = '', width, height] = NAME.exec(file) ?? [];
    const size = { width: Number(width), height: Number(height) };
    const code = isSide(size.width) && isSide(size.height) ? await service().code(name) : null;
    if (!code) {
      const { http, body } = failure(new Refusal('NOT_FOUND'), languageOf(request.headers['accept-language']));
      return reply.status(http).header('Cache-Control', 'no-store').send(body);
    }
    const png = await picture(file, code, size);
    return reply.header('Cache-Control', 'public, max-age=31536000, immutable').type('image/png').send(png);
  });
}

const isSide = (pixels: number): boolean => pixels >= QR_SIDE_MIN && pixels <= QR_SIDE_MAX;

function draw({ picture, text }: Code, size: CodeSize): Promise<Buffer> {
  const given = pictureIn(picture);
  return given ? fitCode(given, size) : drawCode(text, size);
}
