import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PaymentGateway } from '../gateway.js';
import type { WechatKeys } from '../gateway-keys.js';
import type { FaultPoint } from '../payment-faults.js';
import { fieldIn } from '../trade-store.js';
import { WECHAT_CALLS, type WechatAnswer, type WechatCall, type WechatServices, isJson } from './wechat-calls.js';
import { platformCertificate } from './wechat-certificate.js';
import { WechatError } from './wechat-error.js';
import { wechatNotification } from './wechat-views.js';
import { isFresh, isSignedBy, Nonces, readCredentials, signatureHeaders } from './wechat-signature.js';

/** 15s 15s 30s 3m 10m 20m 30m 30m 30m 60m 3h 3h 3h 6h 6h. */
const SCHEDULE = [15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600] as const;

/** WeChat Pay, API v3: requests are verified over their raw bytes, responses are signed. */
export function wechatGateway(keys: WechatKeys, shared: Omit<WechatServices, 'keys' | 'certificate'>): PaymentGateway {
  const certificate = platformCertificate(keys.privateKey);
  const services: WechatServices = { ...shared, keys, certificate };
  const verifier = new RequestVerifier(keys);
  return {
    name: 'wechat',
    schedule: SCHEDULE,
    routes(scope) {
      for (const row of WECHAT_CALLS) serve(scope, { row, services, verifier });
    },
    message: (trade, notification, tampering) =>
      wechatNotification(trade, notification, { ...tampering, keys, serial: trade.echo['serial'] ?? keys.publicKeyId }),
    returnAddress: () => null,
    accepts: ({ status }) => status === 200 || status === 204,
  };
}

/** Verifies signatures and rejects replays. */
class RequestVerifier {
  readonly #nonces = new Nonces();

  constructor(private readonly keys: WechatKeys) {}

  /** Throws WechatError SIGN_ERROR. */
  check(request: FastifyRequest, body: Buffer): void {
    const { authorization = '' } = request.headers;
    const credentials = readCredentials(authorization);
    const wrong = (name: string, issue: string) => new WechatError('SIGN_ERROR', { name, issue });
    if (!credentials) throw wrong('Authorization', '缺失或格式错误');
    if (credentials.mchid !== this.keys.mchId) throw wrong('mchid', '与证书不符');
    if (credentials.serial !== this.keys.serial) throw wrong('serial_no', '没有这个商户证书');
    if (!isFresh(credentials.timestamp)) throw wrong('timestamp', '与现在相差超过 5 分钟');
    const { method, url = '' } = request.raw;
    if (!isSignedBy(this.keys.merchantPublicKey, { method: method ?? '', url, body, authorization })) {
      throw wrong('signature', '验证失败');
    }
    if (!this.#nonces.take(credentials.nonce)) throw wrong('nonce_str', '重复的请求');
  }
}

function serve(
  scope: FastifyInstance,
  { row, services, verifier }: { row: WechatCall; services: WechatServices; verifier: RequestVerifier },
) {
  scope.route({
    method: row.method,
    url: row.url,
    handler: async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const faultPoint = { gateway: 'wechat', call: row.call, orderNo: orderNoIn(request, body, services) } as const;
      const serial = signingKeyFor(request, services);
      const answer = resultOf(() => {
        verifier.check(request, body);
        if (services.faults.take('error-5xx', faultPoint)) throw new WechatError('SYSTEM_ERROR');
        const wrong = services.faults.take('wrong-amount', faultPoint);
        return row.work(services, { request, body: readBody(body), amountError: wrong ? 1 : 0, serial });
      });
      return send(reply, { answer, faultPoint, services, serial });
    },
  });
}

function resultOf(work: () => WechatAnswer): WechatAnswer {
  try {
    return work();
  } catch (error) {
    if (error instanceof WechatError) return { status: error.status, body: error.body };
    throw error;
  }
}

async function send(
  reply: FastifyReply,
  {
    answer,
    faultPoint,
    services,
    serial,
  }: { answer: WechatAnswer; faultPoint: FaultPoint; services: WechatServices; serial: string },
) {
  if (!(await services.faults.delayOrDrop(faultPoint, reply))) return reply;
  const text = answer.body === null ? '' : JSON.stringify(answer.body);
  const signature = services.faults.take('bad-signature', faultPoint) ? 'wrong' : 'right';
  void reply.code(answer.status).headers({
    'request-id': reply.request.id,
    ...signatureHeaders(text, { privateKey: services.keys.privateKey, serial, signature }),
  });
  return answer.body === null ? reply.send() : reply.type('application/json; charset=utf-8').send(text);
}

/** Merchants that use the public key send its id in Wechatpay-Serial; the others use the certificate. */
function signingKeyFor(request: FastifyRequest, { keys, certificate }: WechatServices): string {
  return request.headers['wechatpay-serial'] === keys.publicKeyId ? keys.publicKeyId : certificate.serial;
}

function orderNoIn(request: FastifyRequest, body: Buffer, { store }: WechatServices): string | null {
  const { no, id, refund } = request.params as { no?: string; id?: string; refund?: string };
  const json = body.toString('utf8');
  return store.orderNoOf('wechat', {
    orderNo: no ?? fieldIn(json, 'out_trade_no'),
    tradeNo: id ?? fieldIn(json, 'transaction_id'),
    refundNo: refund,
  });
}

function readBody(body: Buffer): Readonly<Record<string, unknown>> {
  if (body.length === 0) return {};
  try {
    const read: unknown = JSON.parse(body.toString('utf8'));
    if (isJson(read)) return read;
  } catch {
    // Handled below, like any other body that is not an object.
  }
  throw new WechatError('PARAM_ERROR', { name: 'body', issue: '不是 JSON 对象' });
}
