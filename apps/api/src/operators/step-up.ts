import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import type { FastifyRequest } from 'fastify';
import { RateLimits } from '../platform/rate-limits.js';
import { ActionLog, type Actor } from './action-log.js';
import { OneTimeCodes } from './one-time-codes.js';
import { OperatorAccount } from './operator.entity.js';
import type { CurrentOperator } from './operator-sessions.js';

/** A fresh one-time code for one request, which a stolen session does not have (operators §2). */
@Injectable()
export class StepUp {
  constructor(
    private readonly em: EntityManager,
    private readonly codes: OneTimeCodes,
    private readonly limits: RateLimits,
    private readonly actions: ActionLog,
  ) {}

  /** Uses the code up, whatever becomes of the request. Refuses a missing, wrong or used one. */
  async take({ id, name }: CurrentOperator, code: string | undefined, actor: Actor): Promise<void> {
    if (code === undefined || code === '') throw new Refusal('OPERATOR_CODE_REQUIRED');
    // Counted before it is judged: of many guesses at once only the first few are judged.
    await this.limits.take('operatorCodes', String(id));
    const verdict = await this.em.fork().transactional(async (em) => {
      const operator = await em.findOneOrFail(OperatorAccount, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const judged = await this.codes.judge(em, operator, code);
      if (judged === 'wrong')
        await this.actions.record(em, actor, { action: 'code.failed', target: { kind: 'operator', id: name } });
      return judged;
    });
    if (verdict !== 'fresh') throw new Refusal(verdict === 'used' ? 'SIGN_IN_CODE_USED' : 'SIGN_IN_CODE_WRONG');
    await this.limits.forget('operatorCodes', String(id));
  }
}

/** The code of a request: in the header `x-one-time-code` or in the field `code` of its body. */
export function codeIn({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): string | undefined {
  const header = headers['x-one-time-code'];
  const field = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  return typeof header === 'string' ? header : typeof field === 'string' ? field : undefined;
}

/** The code of the request, for a handler that takes it itself. */
export const OneTimeCode = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  codeIn(context.switchToHttp().getRequest<FastifyRequest>()),
);
