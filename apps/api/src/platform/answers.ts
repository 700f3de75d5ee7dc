import {
  Catch,
  HttpException,
  Injectable,
  Logger,
  StreamableFile,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { languageOf, type Failure, type Success } from '@yiqiao/contracts/envelope';
import { errors, Refusal, statusOf, type ErrorCode } from '@yiqiao/domain/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { CsvFile } from './csv-downloads.js';
import { CONTRACT } from './endpoint.js';
import { fieldText } from './input-pipe.js';
import { plainly } from './logger.js';
import { isOutage } from './outage.js';

/** Wraps what a handler answers; a stream answers for itself. The response schema is the whitelist: what it does not name never leaves. */
@Injectable()
export class Enveloper implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const contract = this.reflector.get<Contract | undefined>(CONTRACT, context.getHandler());
    if (!contract || contract.stream) return next.handle();
    context.switchToHttp().getResponse<FastifyReply>().header('Cache-Control', 'no-store');
    return next.handle().pipe(map((data) => (contract.file ? fileOf(data) : envelope(contract, data))));
  }
}

const envelope = (contract: Contract, data: unknown): Success<unknown> => ({
  success: true,
  data: contract.response.parse(data),
  msg: '',
});

const fileOf = (data: unknown): StreamableFile => {
  if (data instanceof CsvFile) return data.answer;
  throw new Error('This endpoint answers a file.');
};

/** Turns whatever was thrown into the failure envelope. What is not a refusal is a bug, and says nothing of itself. */
@Catch()
export class FailureFilter implements ExceptionFilter {
  readonly #log = new Logger('Http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
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
