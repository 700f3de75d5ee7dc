import { hash, timingSafeEqual } from 'node:crypto';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { signatureOf, type Sha256 } from '@yiqiao/contracts/signing';
import { Refusal, type ErrorCode } from '@yiqiao/domain/errors';
import { TIMESTAMP_WINDOW_MS } from '@yiqiao/domain/limits';
import type { ClientType } from '@yiqiao/domain/members';
import type { IncomingHttpHeaders } from 'node:http';
import { Admission } from './admission.js';
import { ApiKeyReader } from './api-key-reader.js';
import { Clock } from './clock.js';
import { CONTRACT, OPEN } from './endpoint-metadata.js';
import { type Caller, clientOf, type SignedRequest } from './endpoint.js';
import { OperatorTokens } from './operator-token.js';

export type SessionState = 'live' | 'ended' | 'expired' | 'disabled' | 'closed';
export type SessionView = {
  userId: number;
  familyId: number;
  parentId: number | null;
  clientType: ClientType;
  state: SessionState;
  /** Of an operator who views the account: it may read, and nothing else. */
  viewOnly: boolean;
};

/** The guard's access to sessions; the sessions feature implements it. */
export abstract class SessionReader {
  abstract read(tokenDigest: string): Promise<SessionView | null>;
}

const sha256: Sha256 = (text) => hash('sha256', text, 'hex');

/** Sessions are stored by the digest of their token, so that a stolen table gives no access (decisions §2). */
export const digestOf = (token: string): string => sha256(token);

const REFUSED: Record<Exclude<SessionState, 'live'>, ErrorCode> = {
  expired: 'SESSION_UNKNOWN',
  ended: 'SESSION_ENDED',
  disabled: 'SESSION_DISABLED',
  closed: 'SESSION_CLOSED',
};

type Credentials = { token: string; timestamp: string; signature: string };

/** Default deny: a route without a contract is not served; a contract that is not public needs a signed request. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionReader,
    private readonly clock: Clock,
    private readonly operators: OperatorTokens,
    private readonly admission: Admission,
    private readonly apiKeys: ApiKeyReader,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const contract = this.reflector.get<Contract | undefined>(CONTRACT, context.getHandler());
    if (!contract) return this.reflector.get<boolean | undefined>(OPEN, context.getHandler()) === true;
    const request = context.switchToHttp().getRequest<SignedRequest>();
    if (contract.access === 'operator') {
      const operator = this.operators.bearer(request.headers.authorization);
      if (operator === null) throw new Refusal('FORBIDDEN');
      request.operator = operator;
      return true;
    }
    if (contract.access === 'key') {
      request.caller = await this.#keyCaller(request, contract);
      return true;
    }
    if (contract.access === 'public' && !(contract.mayBeSigned && isSigned(request.headers))) {
      if (!isRead(contract)) await this.#refuseView(request.headers);
      return true;
    }

    const { token } = this.#verified(request.headers);
    const sessionDigest = digestOf(token);
    const session = await this.sessions.read(sessionDigest);
    if (!session) throw new Refusal('SESSION_UNKNOWN');
    if (session.state !== 'live') throw new Refusal(REFUSED[session.state]);

    if (session.viewOnly && !isRead(contract)) throw new Refusal('VIEW_ONLY');

    this.admission.recognize(token, session.userId);
    const isMain = session.parentId === null;
    if (contract.access === 'main' && !isMain) throw new Refusal('MAIN_ACCOUNT_ONLY');
    const { userId, familyId, clientType } = session;
    request.caller = { userId, familyId, isMain, clientType, sessionDigest };
    return true;
  }

  async #keyCaller(request: SignedRequest, { scope }: Contract): Promise<Caller> {
    const { authorization = '' } = request.headers;
    const [, secret] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    if (secret === undefined) throw new Refusal('API_KEY_REQUIRED');
    if (!scope) throw new Error('a call with a key has no scope');
    return this.admission.verifying(secret, this.apiKeys.authenticate(secret, { ip: clientOf(request).ip, scope }));
  }

  /** Visitors may do this, but not in the name of somebody who is only viewed. */
  async #refuseView(headers: IncomingHttpHeaders): Promise<void> {
    for (const given of credentialsIn(headers))
      if (given && (await this.sessions.read(digestOf(given.token)))?.viewOnly) throw new Refusal('VIEW_ONLY');
  }

  /** The credentials of the request, with signature and timestamp verified. Three forms, any one is enough (decisions §2). */
  #verified(headers: IncomingHttpHeaders): Credentials {
    const [first, ...others] = credentialsIn(headers);
    if (first === undefined) throw new Refusal('UNAUTHORIZED');
    const now = this.clock.now().getTime();
    const badSignature = (): Refusal => new Refusal('BAD_SIGNATURE', { data: { serverTime: now } });
    if (first === null || others.some((other) => other === null || !same(first, other))) throw badSignature();
    const fresh = Math.abs(now - Number(first.timestamp)) <= TIMESTAMP_WINDOW_MS;
    if (!fresh || !equal(first.signature, signatureOf(first.token, first.timestamp, sha256))) throw badSignature();
    return first;
  }
}

/** Whether a call only shows what is there: no download, no stream, and not every GET. */
const isRead = ({ method, file, stream, changes }: Contract): boolean =>
  method === 'GET' && !file && !stream && !changes;

const isSigned = (headers: IncomingHttpHeaders): boolean => credentialsIn(headers).length > 0;

/** One item per form that is present; null for a malformed one. */
function credentialsIn(headers: IncomingHttpHeaders): (Credentials | null)[] {
  const found: (Credentials | null)[] = [];
  const { token, timestamp, signature } = headers;
  if (token !== undefined || timestamp !== undefined || signature !== undefined)
    found.push(wellFormed(String(token), String(timestamp), String(signature)));
  for (const joined of [headers.authorization, headers['auth-token']]) {
    if (joined === undefined) continue;
    const parts = String(joined).split('.');
    found.push(parts.length === 3 ? wellFormed(parts[0], parts[1], parts[2]) : null);
  }
  return found;
}

const wellFormed = (token = '', timestamp = '', signature = ''): Credentials | null =>
  /^[0-9A-F]{64}$/.test(token) && /^\d{1,15}$/.test(timestamp) && /^[0-9a-f]{64}$/.test(signature)
    ? { token, timestamp, signature }
    : null;

const same = (a: Credentials, b: Credentials): boolean =>
  a.token === b.token && a.timestamp === b.timestamp && a.signature === b.signature;

const equal = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));
