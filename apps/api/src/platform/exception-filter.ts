import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { languageOf } from '@yiqiao/contracts/envelope';
import { Refusal, type ErrorCode } from '@yiqiao/domain/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { storeIsAway } from './admission.js';
import { serializeError, ThrottledLines } from './logger.js';
import { isAway, isOutage, outageKind } from './outage.js';
import { failureResponse } from './response-envelope.js';

/** Turns whatever was thrown into a refusal. Anything but a refusal is a bug, which is logged and reveals nothing about itself. */
export class ThrownErrors {
  readonly #log = new Logger('Http');
  readonly #outages = new ThrottledLines((line) => this.#log.warn({ msg: 'store unavailable', ...line }));

  refusalFor(thrown: unknown, request: FastifyRequest): Refusal {
    if (thrown instanceof Refusal) return thrown;
    const status = thrown instanceof HttpException ? thrown.getStatus() : statusIn(thrown);
    const code = CODE_BY_STATUS[status];
    if (code) return new Refusal(code);
    if (isOutage(thrown)) {
      this.#outages.add(outageKind(thrown), () => ({ requestId: request.id, outage: serializeError(thrown) }));
      if (isAway(thrown)) storeIsAway();
      return new Refusal('SERVICE_BUSY', { retryAfterSeconds: 1 });
    }
    this.#log.error({ requestId: request.id, error: serializeError(thrown) });
    return new Refusal('SERVER_ERROR');
  }
}

/** Turns every exception into the failure envelope. */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  readonly #thrown = new ThrownErrors();

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // The client disconnected: the incomplete write is no error of ours.
    if (reply.raw.destroyed && isPrematureClose(thrown)) return;
    const refusal = this.#thrown.refusalFor(thrown, request);
    const { http: status, body } = failureResponse(refusal, languageOf(request.headers['accept-language']));
    if (reply.sent) return;
    const { retryAfterSeconds } = refusal.details;
    if (retryAfterSeconds !== undefined) void reply.header('Retry-After', retryAfterSeconds);
    void reply.status(status).header('Cache-Control', 'no-store').send(body);
  }
}

const isPrematureClose = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** The framework's own refusals: JSON that does not parse, a body too large, an unknown route. */
const CODE_BY_STATUS: Record<number, ErrorCode> = {
  400: 'MALFORMED_JSON',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

const statusIn = (thrown: unknown): number =>
  typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown ? Number(thrown.statusCode) : 500;
