import { type CanActivate, type ExecutionContext, Injectable, StandardSchemaValidationPipe } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { nothing, type Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { fieldMessages, isFieldCode, type FieldCode } from '@yiqiao/contracts/field-messages';
import { Refusal } from '@yiqiao/domain/errors';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { CONTRACT } from './endpoint-metadata.js';

/** Validates every `@Input` with its contract. A request without a body counts as an empty one. */
@Injectable()
export class InputPipe extends StandardSchemaValidationPipe {
  constructor() {
    super({
      validateCustomDecorators: true,
      exceptionFactory: (issues) => refusalOf(issues as unknown as z.core.$ZodIssue[]),
    });
  }

  override transform<T>(value: T, metadata: Parameters<StandardSchemaValidationPipe['transform']>[1]): Promise<T> {
    return super.transform((metadata.schema ? (value ?? {}) : value) as T, metadata);
  }
}

/**
 * Refuses input to endpoints that take none: they have no `@Input`, so the pipe would not validate it. Also refuses files where the contract
 * has no upload.
 */
@Injectable()
export class NoBodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const contract = this.reflector.get<Contract | undefined>(CONTRACT, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (contract && !contract.upload && request.isMultipart()) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
    if (contract?.request === nothing) {
      const { error } = nothing.safeParse((contract.method === 'GET' ? request.query : request.body) ?? {});
      if (error) throw refusalOf(error.issues);
    }
    return true;
  }
}

/** The refusal of a request with these schema issues. */
export const refusalOf = (issues: readonly z.core.$ZodIssue[]): Refusal => {
  const errors = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), code: 'UNKNOWN_FIELD' }))
      : [{ path: issue.path.join('.'), code: codeOf(issue) }],
  );
  const onlyUnknown = errors.every((e) => e.code === 'UNKNOWN_FIELD');
  return new Refusal(onlyUnknown ? 'UNKNOWN_FIELD' : 'VALIDATION_FAILED', { errors });
};

/** A rule that names a code determines it; otherwise zod's kind of issue does. */
const codeOf = (issue: z.core.$ZodIssue): FieldCode => {
  if (isFieldCode(issue.message)) return issue.message;
  switch (issue.code) {
    case 'too_small':
      return 'TOO_SMALL';
    case 'too_big':
      return 'TOO_BIG';
    case 'invalid_type':
      return 'WRONG_TYPE';
    case 'invalid_value':
      return 'WRONG_VALUE';
    default:
      return 'INVALID';
  }
};

/** The sentence of a field error in the request's language. */
export const fieldMessage = (code: string, language: 'zh' | 'en'): string =>
  fieldMessages[isFieldCode(code) ? code : 'INVALID'][language];
