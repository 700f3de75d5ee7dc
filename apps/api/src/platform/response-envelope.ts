import type { StreamableFile } from '@nestjs/common';
import type { Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import type { Failure, Language, Success } from '@yiqiao/contracts/envelope';
import { errorMessage, statusOf, type Refusal } from '@yiqiao/domain/errors';
import { FileAnswer } from './file-answer.js';
import { fieldMessage } from './input-pipe.js';

type Method = (...args: unknown[]) => unknown;

/**
 * Wraps the result of a controller method in the envelope; a stream writes its own response. The response schema is an allow-list: fields it
 * does not name are dropped. A decorator rather than an interceptor: with even one, Nest sends every response through half a dozen observables.
 */
export const ResponseEnvelope =
  (contract: Contract): MethodDecorator =>
  (_, __, descriptor) => {
    if (contract.stream) return;
    const method = descriptor.value as Method;
    const respond = contract.file ? fileResponse : (data: unknown) => successResponse(contract, data);
    const wrapped = async function (this: unknown, ...args: unknown[]): Promise<unknown> {
      return respond(await method.apply(this, args));
    };
    descriptor.value = wrapped as typeof descriptor.value;
  };

const successResponse = (contract: Contract, data: unknown): Success<unknown> => ({
  success: true,
  data: contract.response.parse(data),
  msg: '',
});

const fileResponse = (data: unknown): StreamableFile => {
  if (data instanceof FileAnswer) return data.response;
  throw new Error('This endpoint returns a file.');
};

/** The failure envelope of a refusal (decisions §1). */
export const failureResponse = (refusal: Refusal, language: Language): { http: number; body: Failure } => {
  const { http, body: status } = statusOf(refusal.code);
  const fields = refusal.details.errors?.map((e) => ({ ...e, msg: fieldMessage(e.code, language) }));
  const body: Failure = {
    success: false,
    data: refusal.details.data ?? null,
    // The sentence of a single wrong field says more than the general message.
    msg: fields?.length === 1 && fields[0] ? fields[0].msg : errorMessage(refusal.code, language, refusal.details.data),
    code: refusal.code,
    status,
    ...(fields ? { errors: fields } : {}),
  };
  return { http, body };
};
