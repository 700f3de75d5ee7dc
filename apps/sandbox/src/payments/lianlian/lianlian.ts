import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readDenseTime } from '../beijing-time.js';
import type { Tampering, NotificationMessage, PaymentGateway } from '../gateway.js';
import type { LianlianKeys } from '../gateway-keys.js';
import type { FaultPoint } from '../payment-faults.js';
import type { Notification, Trade } from '../trade.js';
import { fieldIn } from '../trade-store.js';
import { sign, tamperedSignature, verify } from '../rsa.js';
import { LIANLIAN_CALLS, type LianlianServices, orderView, refundView } from './lianlian-calls.js';
import { LianlianError, Fields } from './lianlian-request.js';

/** Every two minutes, thirty times. */
const SCHEDULE = Array.from({ length: 30 }, () => 120);

/** Allowed clock skew, in ms. */
const WINDOW_MS = 30 * 60_000;

/** LianLian Pay's open platform (generation B): JSON with the signature in a header. */
export function lianlianGateway(keys: LianlianKeys, shared: Omit<LianlianServices, 'keys'>): PaymentGateway {
  const services: LianlianServices = { ...shared, keys };
  return {
    name: 'lianlian',
    schedule: SCHEDULE,
    routes(scope) {
      for (const row of LIANLIAN_CALLS) {
        scope.post(row.url, async (request, reply) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const faultPoint = { gateway: 'lianlian', call: row.call, orderNo: orderNoIn(body, services) } as const;
          if (services.faults.take('error-5xx', faultPoint))
            return reply.code(502).type('text/html').send('Bad Gateway');
          const answer = resultOf(() => {
            verifyRequest(request, { body, keys });
            const fields = Fields.read(body);
            if (fields.text('mch_id', 18) !== keys.mchId) throw new LianlianError('3001');
            const amountError = services.faults.take('wrong-amount', faultPoint) ? 1 : 0;
            return row.work(services, { request, fields, amountError });
          });
          return send(reply, { answer, faultPoint, services });
        });
      }
    },
    message: (trade, notification, tampering) => notificationMessage(trade, notification, { ...tampering, keys }),
    returnAddress: () => null,
    accepts: ({ status, body }) => status === 200 && body.trim() === 'Success',
  };
}

/** Verifies headers and signature. Throws LianlianError. */
function verifyRequest(request: FastifyRequest, { body, keys }: { body: Buffer; keys: LianlianKeys }): void {
  const header = (name: string) => String(request.headers[name] ?? '');
  if (header('mch_id') !== keys.mchId) throw new LianlianError('3001');
  if (header('signature-type') !== 'RSA') throw new LianlianError('1001', 'Signature-Type');
  const signed = { key: keys.merchantPublicKey, signature: header('signature-data') };
  if (!isSigned(body, signed)) throw new LianlianError('1001');
  const time = readDenseTime(header('timestamp'));
  if (time === null || Math.abs(Date.now() - time) > WINDOW_MS) throw new LianlianError('1004', 'timestamp');
}

function resultOf(work: () => object): object {
  try {
    return { ret_code: '0000', ret_msg: '交易成功', ...work() };
  } catch (error) {
    if (error instanceof LianlianError) return { ret_code: error.code, ret_msg: error.message };
    throw error;
  }
}

async function send(
  reply: FastifyReply,
  { answer, faultPoint, services }: { answer: object; faultPoint: FaultPoint; services: LianlianServices },
) {
  if (!(await services.faults.delayOrDrop(faultPoint, reply))) return reply;
  const text = JSON.stringify(answer);
  const signature = services.faults.take('bad-signature', faultPoint) ? 'wrong' : 'right';
  return reply.headers(lianlianHeaders(text, { privateKey: services.keys.privateKey, signature })).send(text);
}

function notificationMessage(
  trade: Trade,
  notification: Notification,
  { keys, amount, signature }: Tampering & { keys: LianlianKeys },
): NotificationMessage {
  const refund = trade.refunds.find(({ no }) => no === notification.refund);
  const { mchId, privateKey } = keys;
  const body = JSON.stringify(refund ? refundView(trade, { refund, mchId }) : orderView(trade, { mchId, amount }));
  return { body, headers: lianlianHeaders(body, { privateKey, signature }) };
}

function orderNoIn(body: Buffer, { store }: LianlianServices): string | null {
  const json = body.toString('utf8');
  return store.orderNoOf('lianlian', {
    orderNo: fieldIn(json, 'txn_seqno'),
    tradeNo: fieldIn(json, 'platform_txno'),
    refundNo: fieldIn(json, 'refund_seqno'),
  });
}

/** The signature covers the lower-case hexadecimal MD5 of the body, so the body is hashed twice. */
const digestOf = (body: string | Buffer): string => createHash('md5').update(body).digest('hex');

/** Whether the signature matches the body. */
export function isSigned(body: Buffer, by: { key: string; signature: string }): boolean {
  return verify('RSA-MD5', digestOf(body), by);
}

/** The signature headers of a response or notification. */
export function lianlianHeaders(
  body: string,
  { privateKey, signature }: { privateKey: string; signature: 'right' | 'wrong' },
): Record<string, string> {
  const right = sign('RSA-MD5', digestOf(body), privateKey);
  return {
    'content-type': 'application/json;charset=UTF-8',
    'signature-type': 'RSA',
    'signature-data': signature === 'wrong' ? tamperedSignature(right) : right,
  };
}
