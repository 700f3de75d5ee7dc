import type { FastifyReply, FastifyRequest } from 'fastify';

import { readDenseTime } from '../beijing-time.js';
import type { Disguise, Message, PaymentGateway } from '../gateway.js';
import type { LianlianKeys } from '../gateway-keys.js';
import type { Moment } from '../payment-faults.js';
import type { Notification, Trade } from '../trade.js';
import { fieldIn } from '../trade-store.js';
import { LIANLIAN_CALLS, type LianlianWorld } from './lianlian-calls.js';
import { LianlianError } from './lianlian-error.js';
import { Fields } from './lianlian-fields.js';
import { isSigned, lianlianHeaders } from './lianlian-signature.js';
import { orderView, refundView } from './lianlian-trade.js';

/** Every two minutes, thirty times. */
const SCHEDULE = Array.from({ length: 30 }, () => 120);

/** Furthest a merchant's clock may be away, in ms. */
const WINDOW = 30 * 60_000;

/** LianLian Pay's open platform (generation B): JSON whose signature stands in a header. */
export function lianlianGateway(keys: LianlianKeys, around: Omit<LianlianWorld, 'keys'>): PaymentGateway {
  const world: LianlianWorld = { ...around, keys };
  return {
    name: 'lianlian',
    schedule: SCHEDULE,
    routes(scope) {
      for (const row of LIANLIAN_CALLS) {
        scope.post(row.url, async (request, reply) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const moment = { gateway: 'lianlian', call: row.call, orderNo: orderNoIn(body, world) } as const;
          if (world.faults.meet('error-5xx', moment)) return reply.code(502).type('text/html').send('Bad Gateway');
          const answer = answerOf(() => {
            check(request, { body, keys });
            const fields = Fields.read(body);
            if (fields.text('mch_id', 18) !== keys.mchId) throw new LianlianError('3001');
            const disguised = world.faults.meet('wrong-amount', moment) ? 1 : 0;
            return row.work(world, { request, fields, disguised });
          });
          return send(reply, { answer, moment, world });
        });
      }
    },
    message: (trade, notification, disguise) => notice(trade, notification, { ...disguise, keys }),
    returnAddress: () => null,
    accepts: ({ status, body }) => status === 200 && body.trim() === 'Success',
  };
}

/** Lets in what the merchant signed. Throws LianlianError. */
function check(request: FastifyRequest, { body, keys }: { body: Buffer; keys: LianlianKeys }): void {
  const header = (name: string) => String(request.headers[name] ?? '');
  if (header('mch_id') !== keys.mchId) throw new LianlianError('3001');
  if (header('signature-type') !== 'RSA') throw new LianlianError('1001', 'Signature-Type');
  const signed = { key: keys.merchantPublicKey, signature: header('signature-data') };
  if (!isSigned(body, signed)) throw new LianlianError('1001');
  const time = readDenseTime(header('timestamp'));
  if (time === null || Math.abs(Date.now() - time) > WINDOW) throw new LianlianError('1004', 'timestamp');
}

function answerOf(work: () => object): object {
  try {
    return { ret_code: '0000', ret_msg: '交易成功', ...work() };
  } catch (error) {
    if (error instanceof LianlianError) return { ret_code: error.code, ret_msg: error.message };
    throw error;
  }
}

async function send(
  reply: FastifyReply,
  { answer, moment, world }: { answer: object; moment: Moment; world: LianlianWorld },
) {
  if (!(await world.faults.underway(moment, reply))) return reply;
  const text = JSON.stringify(answer);
  const signature = world.faults.meet('bad-signature', moment) ? 'wrong' : 'right';
  return reply.headers(lianlianHeaders(text, { privateKey: world.keys.privateKey, signature })).send(text);
}

function notice(
  trade: Trade,
  notification: Notification,
  { keys, amount, signature }: Disguise & { keys: LianlianKeys },
): Message {
  const refund = trade.refunds.find(({ no }) => no === notification.refund);
  const { mchId, privateKey } = keys;
  const body = JSON.stringify(refund ? refundView(trade, { refund, mchId }) : orderView(trade, { mchId, amount }));
  return { body, headers: lianlianHeaders(body, { privateKey, signature }) };
}

function orderNoIn(body: Buffer, { store }: LianlianWorld): string | null {
  const json = body.toString('utf8');
  return store.orderNoOf('lianlian', {
    orderNo: fieldIn(json, 'txn_seqno'),
    tradeNo: fieldIn(json, 'platform_txno'),
    refundNo: fieldIn(json, 'refund_seqno'),
  });
}
