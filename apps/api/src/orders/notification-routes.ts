import type { CommandBus } from '@nestjs/cqrs';
import { languageOf } from '@yiqiao/contracts/envelope';
import { Refusal, type ErrorCode } from '@yiqiao/domain/errors';
import { NOTIFICATION_BODY_BYTES } from '@yiqiao/domain/limits';
import type { Gateway } from '@yiqiao/domain/orders';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failureResponse } from '../platform/response-envelope.js';
import { serializeError } from '../platform/logger.js';
import { ReceiveNotification } from './receive-notification.js';

const GATEWAYS: Record<Gateway, true> = { alipay: true, wechat: true, lianlian: true };

const isGateway = (name: string): name is Gateway => Object.hasOwn(GATEWAYS, name);

type Route = { Params: { gateway: string } };

const ADDRESS = '/pay/notify/:gateway';
const OTHER_METHODS = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * `POST /pay/notify/<gateway>`: outside the client API, without session and envelope; each gateway gets its own format of answer. The body
 * is read as the signed bytes, whatever its content type. Other methods: 405.
 */
export function receiveNotifications(fastify: FastifyInstance, commands: () => CommandBus): void {
  void fastify.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    const asSent = { parseAs: 'buffer', bodyLimit: NOTIFICATION_BODY_BYTES } as const;
    scope.addContentTypeParser('*', asSent, (__, body, parsed) => parsed(null, body));
    scope.setErrorHandler((error, request, reply) => answerFailure(error, request, reply));
    scope.post<Route>(ADDRESS, async (request, reply) => {
      const { gateway } = request.params;
      if (!isGateway(gateway)) throw new Refusal('NOT_FOUND');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const answer = await commands().execute(new ReceiveNotification(gateway, { headers: headersOf(request), body }));
      return reply.status(answer.status).type(answer.contentType).send(answer.body);
    });
    scope.route<Route>({
      method: OTHER_METHODS,
      url: ADDRESS,
      handler: ({ params }, reply) => {
        if (!isGateway(params.gateway)) throw new Refusal('NOT_FOUND');
        void reply.header('Allow', 'POST');
        throw new Refusal('METHOD_NOT_ALLOWED');
      },
    });
    done();
  });
}

/** Names in lower case; repeated headers are joined. */
const headersOf = (request: FastifyRequest): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );

const REFUSED: Record<number, ErrorCode> = { 413: 'PAYLOAD_TOO_LARGE', 415: 'UNSUPPORTED_MEDIA_TYPE' };

/** The message is not accepted: the gateway sends it again. */
function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const refusal = error instanceof Refusal ? error : new Refusal(REFUSED[status] ?? 'SERVICE_BUSY');
  if (refusal !== error && !REFUSED[status]) request.log.error({ requestId: request.id, error: serializeError(error) });
  const { http, body } = failureResponse(refusal, languageOf(request.headers['accept-language']));
  void reply.status(http).send(body);
}
