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
import type { Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { BASE_PATH, languageOf, type Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import type { ClientType } from '@yiqiao/domain/members';
import type { FastifyRequest } from 'fastify';
import { CONTRACT } from './contract-of.js';
import { enveloped } from './enveloped.js';
import { UploadReceiver } from './upload-receiver.js';

const verbs = { GET: Get, POST: Post, DELETE: Delete };

/** Mounts a contract on a controller's method: the guards read its access, what the method answers goes out as its response. */
export const Endpoint = (contract: Contract): MethodDecorator =>
  applyDecorators(
    // First: the others mark the method that it makes.
    enveloped(contract),
    verbs[contract.method](`${BASE_PATH}${contract.path}`),
    HttpCode(200),
    SetMetadata(CONTRACT, contract),
    ...(contract.stream ? [] : [Header('Cache-Control', 'no-store')]),
    ...(contract.upload ? [UseInterceptors(UploadReceiver)] : []),
  );

/** The validated request: query of a GET, body otherwise, with what stands in the path. */
export const Input = (contract: Contract): ParameterDecorator => {
  const options = { schema: contract.request };
  if (contract.path.includes(':')) return WithPath(options);
  return (contract.method === 'GET' ? Query : Body)(options);
};

const WithPath = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const { method, query, body, params } = requestOf(context);
  const rest: unknown = (method === 'GET' || method === 'HEAD' ? query : body) ?? {};
  // What is no object is refused by the schema; a field may not be given twice.
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) return rest;
  const twice = Object.keys(params as object).filter((name) => Object.hasOwn(rest, name));
  if (twice.length > 0)
    throw new Refusal('UNKNOWN_FIELD', { errors: twice.map((path) => ({ path, code: 'UNKNOWN_FIELD' })) });
  return { ...rest, ...(params as object) };
});

/** Who is calling, as the session says. `sessionDigest` names the session itself. */
export type Caller = {
  userId: number;
  familyId: number;
  isMain: boolean;
  /** What the session was started with. */
  clientType: ClientType;
  sessionDigest: string;
};

export type SignedRequest = FastifyRequest & { caller?: Caller; operator?: string };

const requestOf = (context: ExecutionContext): SignedRequest => context.switchToHttp().getRequest<SignedRequest>();

/** The signed-in caller. On a public endpoint there is none: using it there is a programming error. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('This endpoint is public: it has no caller.');
  return caller;
});

/** Whoever signed the request; null for a visitor. For public endpoints that may be signed. */
export const MaybeCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | null => requestOf(context).caller ?? null,
);

/** The name of the operator whose token the request bears. Anywhere but on an operators' endpoint there is none. */
export const Operator = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { operator } = requestOf(context);
  if (operator === undefined) throw new Error('This endpoint is not for operators only.');
  return operator;
});

/** What the connection says of the client. `ip` is a proxy's word only when the proxy is trusted (decisions §1). */
export type ClientInfo = { ip: string; language: Language; requestId: string; idempotencyKey: string | undefined };

export const Client = createParamDecorator((_: unknown, context: ExecutionContext): ClientInfo => {
  const request = requestOf(context);
  const key = request.headers['idempotency-key'];
  return {
    ip: plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress ?? '') ?? UNKNOWN_ADDRESS,
    language: languageOf(request.headers['accept-language']),
    requestId: request.id,
    idempotencyKey: Array.isArray(key) ? key.join(',') : key,
  };
});

const UNKNOWN_ADDRESS = '0.0.0.0';

/** `::ffff:192.0.2.1` is 192.0.2.1: one client, one address. Undefined when a proxy passed on what is no address. */
const plainAddress = (given: string): string | undefined => {
  const [ip = ''] = given.split('%', 1);
  const plain = ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip;
  return isIP(plain) ? plain : undefined;
};
