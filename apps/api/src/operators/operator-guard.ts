import { createParamDecorator, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { OPERATOR_BASE_PATH, type OperatorEndpoint } from '@yiqiao/contracts/operator/endpoint';
import { Refusal } from '@yiqiao/domain/errors';
import { mayDo, OPERATOR_ACTIONS, type OperatorActionRule } from '@yiqiao/domain/operators';
import type { FastifyRequest } from 'fastify';
import { clientOf } from '../platform/endpoint.js';
import { CONTRACT, OPEN } from '../platform/endpoint-metadata.js';
import { SESSION_COOKIE, cookieOf } from './cookies.js';
import { actorOf, type CurrentOperator, OperatorSessions } from './operator-sessions.js';
import { codeIn, StepUp } from './step-up.js';

type OperatorRequest = FastifyRequest & { currentOperator?: CurrentOperator };

/** Default deny for the operators' process: its own endpoints only, by the table of roles; writes come from its own pages (operators §2, §3). */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: OperatorSessions,
    private readonly stepUp: StepUp,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const contract = this.reflector.get<Partial<OperatorEndpoint> | undefined>(CONTRACT, context.getHandler());
    if (!contract) return this.reflector.get<boolean | undefined>(OPEN, context.getHandler()) === true;
    // The members' API is not served here.
    const { action } = contract;
    if (contract.base !== OPERATOR_BASE_PATH || action === undefined) throw new Refusal('NOT_FOUND');
    const request = context.switchToHttp().getRequest<OperatorRequest>();
    const writes = contract.method !== 'GET';
    if (writes && !isFromOwnSite(request)) throw new Refusal('CSRF_REFUSED');
    if (action === 'signedOut') {
      requireStorable(request);
      return true;
    }
    const token = cookieOf(request, SESSION_COOKIE);
    const operator = token === null ? null : await this.sessions.read(token);
    if (!operator) throw new Refusal('UNAUTHORIZED');
    if (writes && request.headers['x-csrf-token'] !== operator.csrf) throw new Refusal('CSRF_REFUSED');
    if (!mayDo(operator.role, action)) throw new Refusal('OPERATOR_ROLE_REQUIRED');
    requireStorable(request);
    request.currentOperator = operator;
    const rule: OperatorActionRule = OPERATOR_ACTIONS[action];
    if (writes && rule.code && !contract.codeLater)
      await this.stepUp.take(operator, codeIn(request), actorOf(operator, clientOf(request)));
    return true;
  }
}

/** Browsers send the origin of the page with every write. */
function isFromOwnSite({ headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  return origin !== undefined && host !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

/** What PostgreSQL cannot store in a text: NUL, and half of a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** Texts reach the database in names that are sought, in reasons and in the action log. Throws VALIDATION_FAILED with the field. */
function requireStorable({ params, query, body }: FastifyRequest): void {
  const open: [path: string, value: unknown][] = [params, query, body].map((value) => ['', value]);
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, value] = next;
    if (typeof value === 'string' && UNSTORABLE.test(value))
      throw new Refusal('VALIDATION_FAILED', { errors: [{ path, code: 'UNSAFE_TEXT' }] });
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) open.push([path === '' ? name : `${path}.${name}`, inner]);
  }
}

/** The signed-in operator. On an endpoint for the signed-out there is none: using it there is a programming error. */
export const CurrentOperatorOf = createParamDecorator((_: unknown, context: ExecutionContext): CurrentOperator => {
  const { currentOperator } = context.switchToHttp().getRequest<OperatorRequest>();
  if (!currentOperator) throw new Error('This endpoint has no operator.');
  return currentOperator;
});
