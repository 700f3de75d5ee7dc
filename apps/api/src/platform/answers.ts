import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { languageOf, type Failure } from '@yiqiao/contracts/envelope';
import { errors, Refusal, statusOf, type ErrorCode } from '@yiqiao/domain/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fieldText } from './input-pipe.js';
import { plainly } from './logger.js';
import { isOutage } from './outage.js';

/** Turns whatever was thrown into the failure envelope. What is not a refusal is a bug, and says nothing of itself. */
@Catch()
export class FailureFilter implements ExceptionFilter {
  readonly #log = new Logger('Http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // Whoever asked has gone: what could not be written is no fault of ours, and there is nobody to tell.
    if (reply.raw.destroyed && isCutOff(thrown)) return;
    const refusal = this.#refusalFor(thrown, request);
    const { http: status, body } = failure(refusal, languageOf(request.headers['accept-language']));
    if (reply.sent) return;
    const { retryAfterSeconds } = refusal.details;
    if (retryAfterSeconds !== undefined) void reply.header('Retry-After', retryAfterSeconds);
    void reply.status(status).header('Cache-Control', 'no-store').send(body);
  }

  #refusalFor(thrown: unknown, request: FastifyRequest): Refusal {
    if (thrown instanceof Refusal) return thrown;
    const status = thrown instanceof HttpException ? thrown.getStatus() : statusIn(thrown);
    const code = CODE_BY_STATUS[status];
    if (code) return new Refusal(code);
    if (isOutage(thrown)) {
      this.#log.warn({ requestId: request.id, outage: plainly(thrown) });
      return new Refusal('SERVICE_BUSY', { retryAfterSeconds: 1 });
    }
    this.#log.error({ requestId: request.id, error: plainly(thrown) });
    return new Refusal('SERVER_ERROR');
  }
}

const isCutOff = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** The framework's own refusals: JSON that does not parse, a body too large, a route that is not there. */
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

/** The failure envelope of a refusal (decisions §1). */
export const failure = (refusal: Refusal, language: 'zh' | 'en'): { http: number; body: Failure } => {
  const { http, body: status } = statusOf(refusal.code);
  const fields = refusal.details.errors?.map((e) => ({ ...e, msg: fieldText(e.code, language) }));
  const body: Failure = {
    success: false,
    data: refusal.details.data ?? null,
    // A single bad field says more than "please check": its own sentence is the message.
    msg: fields?.length === 1 && fields[0] ? fields[0].msg : errors[refusal.code][language],
    code: refusal.code,
    status,
    ...(fields ? { errors: fields } : {}),
  };
  return { http, body };
};
