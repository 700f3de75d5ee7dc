import { isIP } from 'node:net';
import {
  applyDecorators,
  Body,
  createParamDecorator,
  Delete,
  Get,
  Header,
  HttpCode,
  Post,
  Query,
  SetMetadata,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import type { ApiKeyKind } from '@yiqiao/contracts/api-keys';
import type { Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { BASE_PATH, languageOf, type Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import type { ClientType } from '@yiqiao/domain/members';
import type { FastifyRequest } from 'fastify';
import { CONTRACT } from './endpoint-metadata.js';
import { ResponseEnvelope } from './response-envelope.js';
import { UploadReceiver } from './upload-receiver.js';

const verbs = { GET: Get, POST: Post, DELETE: Delete };

/** Mounts a contract on a controller method: the guards read its access, the result of the method becomes its response. */
export const Endpoint = (contract: Contract): MethodDecorator =>
  applyDecorators(
    // First: the other decorators set metadata on the method that this one returns.
    ResponseEnvelope(contract),
    verbs[contract.method](`${contract.base ?? BASE_PATH}${contract.path}`),
    HttpCode(200),
    SetMetadata(CONTRACT, contract),
    ...(contract.stream ? [] : [Header('Cache-Control', 'no-store')]),
    ...(contract.upload ? [UseInterceptors(UploadReceiver)] : []),
  );

/** The validated request: the query of a GET, the body otherwise, plus the path parameters. */
export const Input = (contract: Contract): ParameterDecorator => {
  const options = { schema: contract.request };
  if (contract.path.includes(':')) return WithPath(options);
  return (contract.method === 'GET' ? Query : Body)(options);
};

const WithPath = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const { method, query, body, params } = requestOf(context);
  const rest: unknown = (method === 'GET' || method === 'HEAD' ? query : body) ?? {};
  // The schema refuses anything but an object; a path parameter may not be repeated as a field.
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) return rest;
  const twice = Object.keys(params as object).filter((name) => Object.hasOwn(rest, name));
  if (twice.length > 0)
    throw new Refusal('UNKNOWN_FIELD', { errors: twice.map((path) => ({ path, code: 'UNKNOWN_FIELD' })) });
  return { ...rest, ...(params as object) };
});

/** The signed-in member. `sessionDigest` identifies the session. */
export type Caller = {
  userId: number;
  familyId: number;
  isMain: boolean;
  /** The client that started the session. */
  clientType: ClientType;
  /** Empty for a caller with an API key. */
  sessionDigest: string;
  /** The API key by which the account calls; absent for a session. */
  apiKey?: UsedKey;
};

export type SignedRequest = FastifyRequest & { caller?: Caller; operator?: string };

const requestOf = (context: ExecutionContext): SignedRequest => context.switchToHttp().getRequest<SignedRequest>();

/** The API key of a request. */
export type UsedKey = {
  readonly id: number;
  readonly name: string;
  readonly kind: ApiKeyKind;
  /** The only channel it may use; null: that of its account. */
  readonly channelId: number | null;
};

/** The signed-in caller. On a public endpoint there is none: using it there is a programming error. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('This endpoint is public: it has no caller.');
  return caller;
});

/** The member that signed the request; null for a visitor. For public endpoints that may be signed. */
export const MaybeCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | null => requestOf(context).caller ?? null,
);

/** The name of the operator whose token the request bears. Only operator endpoints have one. */
export const Operator = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { operator } = requestOf(context);
  if (operator === undefined) throw new Error('This endpoint is not for operators only.');
  return operator;
});

/** The client of the connection. `ip` comes from a forwarding header only when the proxy is trusted (decisions §1). */
export type ClientInfo = {
  ip: string;
  language: Language;
  userAgent: string;
  requestId: string;
  idempotencyKey: string | undefined;
};

export const Client = createParamDecorator((_: unknown, context: ExecutionContext): ClientInfo =>
  clientOf(requestOf(context)),
);

export function clientOf(request: FastifyRequest): ClientInfo {
  const key = request.headers['idempotency-key'];
  return {
    ip: plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress ?? '') ?? UNKNOWN_ADDRESS,
    language: languageOf(request.headers['accept-language']),
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    idempotencyKey: Array.isArray(key) ? key.join(',') : key,
  };
}

const UNKNOWN_ADDRESS = '0.0.0.0';

/** Maps `::ffff:192.0.2.1` to 192.0.2.1: one client, one address. Undefined when a proxy forwarded something else than an address. */
const plainAddress = (given: string): string | undefined => {
  const [ip = ''] = given.split('%', 1);
  const plain = ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip;
  return isIP(plain) ? plain : undefined;
};
