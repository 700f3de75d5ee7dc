import { randomInt } from 'node:crypto';
import type { OrderChannel } from '@yiqiao/domain/orders';
import type { GatewayOrder } from '../../src/orders/pay-channels/pay-channel.js';

/** The sandbox's gateways, for a test that buys and injects faults. */
const at = (path: string): string => `${process.env['SANDBOX_URL'] ?? 'http://127.0.0.1:1'}${path}`;

const post = (path: string, body?: object): Promise<Response> =>
  fetch(at(path), {
    method: 'POST',
    ...(body ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });

export type Fault = {
  mode: 'wrong-amount' | 'bad-signature' | 'error-5xx' | 'slow' | 'hang' | 'close-connection' | 'notify-twice';
  call?: 'pay' | 'query' | 'close' | 'refund' | 'refund-query';
  in?: 'notifications' | 'answers' | 'both';
  count?: number;
  delayMs?: number;
};

/** Injects a fault for one order. */
export async function breakFor(orderNo: string, fault: Fault): Promise<void> {
  const answer = await post('/payments/faults', { ...fault, orderNo });
  if (!answer.ok) throw new Error(await answer.text());
}
export const mendFor = async (orderNo: string): Promise<void> => {
  await post('/payments/faults', { mode: 'none', orderNo });
};

/** As if the code had been scanned and paid; false when the gateway no longer accepts a payment. */
export const payAtCashier = async (orderNo: string, how: 'notify' | 'silently' = 'silently'): Promise<boolean> =>
  (await post(`/cashier/${orderNo}/pay${how === 'silently' ? '?notify=0' : ''}`)).ok;

/** Handles Alipay's form like a browser: posts the fields and follows the redirect. */
export function openForm(html: string): Promise<Response> {
  const action = /<form action="([^"]*)"/.exec(html)?.[1] ?? '';
  const fields = new URLSearchParams();
  for (const [, name = '', value = ''] of html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g))
    fields.append(name, value.replaceAll('&quot;', '"'));
  return fetch(action, { method: 'POST', redirect: 'manual', body: fields });
}

type Trade = { tradeNo: string; state: string; amount: number; refunds: { no: string; amount: number }[] };

export async function tradeOf(orderNo: string): Promise<Trade | undefined> {
  const answer = (await (await fetch(at(`/payments/trades?orderNo=${orderNo}`))).json()) as
    Trade[] | { trades: Trade[] };
  return (Array.isArray(answer) ? answer : answer.trades)[0];
}

/** An order that is unknown to every gateway. */
export const someOrder = (payChannel: OrderChannel): GatewayOrder => ({
  id: 7,
  no: `YQ20260101080000${randomInt(1e8).toString().padStart(8, '0')}`,
  payChannel,
  userId: 3,
  amount: 9900,
  createdAt: new Date(),
  expiresAt: new Date(Date.now() + 15 * 60_000),
});
