import { createSign, createVerify, generateKeyPairSync, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fenOf, yuanOf } from '@yiqiao/domain/orders';

export type Trade = {
  orderNo: string;
  tradeNo: string;
  /** fen */
  amount: number;
  status: 'WAIT_BUYER_PAY' | 'TRADE_CLOSED' | 'TRADE_SUCCESS';
  /** fen, by their numbers */
  refunds: Map<string, number>;
};

/** Its reaction to a call: respond · close the connection without a response · refuse refunds. */
type Mode = 'up' | 'down' | 'no-refunds';

const keys = (): { publicKey: string; privateKey: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};

/** A gateway that speaks Alipay's protocol and is scripted call by call, which the sandbox with its own timers is not. */
export class FakeGateway {
  readonly #merchant = keys();
  readonly #own = keys();
  /** Oldest first; of several with the same order number, the last counts. */
  readonly #trades: Trade[] = [];
  readonly #server: Server;
  mode: Mode = 'up';
  /** The called methods, oldest first. */
  readonly asked: string[] = [];

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async open(): Promise<FakeGateway> {
    const gateway = new FakeGateway();
    gateway.#server.listen(0, '127.0.0.1');
    await once(gateway.#server, 'listening');
    return gateway;
  }

  /** The settings of an api with this as its only gateway, for Alipay. */
  get env(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return {
      ALIPAY_GATEWAY_URL: `http://127.0.0.1:${port}/gateway.do`,
      ALIPAY_APP_ID: '2021000000000001',
      ALIPAY_SELLER_ID: '2088000000000001',
      ALIPAY_PRIVATE_KEY: this.#merchant.privateKey,
      ALIPAY_PUBLIC_KEY: this.#own.publicKey,
    };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Pays `amount` fen for an order; false when it is closed. A second payment is another transaction. */
  pay(orderNo: string, amount: number): boolean {
    if (this.statusOf(orderNo) === 'TRADE_CLOSED') return false;
    this.#begin(orderNo, amount).status = 'TRADE_SUCCESS';
    return true;
  }

  /** The form was posted, but not paid. */
  show(orderNo: string, amount: number): void {
    if (!this.#last(orderNo)) this.#begin(orderNo, amount);
  }

  /** The form was posted, not paid, and the gateway has closed it. */
  expire(orderNo: string, amount: number): void {
    this.show(orderNo, amount);
    const trade = this.#last(orderNo);
    if (trade) trade.status = 'TRADE_CLOSED';
  }

  /** Every real payment for an order. */
  paidFor(orderNo: string): Trade[] {
    return this.#trades.filter((trade) => trade.orderNo === orderNo && trade.status === 'TRADE_SUCCESS');
  }

  statusOf(orderNo: string): Trade['status'] | undefined {
    return this.#last(orderNo)?.status;
  }

  refundsOf(orderNo: string): number {
    return this.paidFor(orderNo).reduce((sum, { refunds }) => sum + refunds.size, 0);
  }

  /** refunded fen */
  backFor(orderNo: string): number {
    return this.paidFor(orderNo).reduce((sum, trade) => sum + backOf(trade), 0);
  }

  /** A refund on the gateway's own pages. */
  refundByHand(orderNo: string, amount: number): void {
    this.#last(orderNo)?.refunds.set(`HAND${randomInt(10 ** 9)}`, amount);
  }

  tradeNoOf(orderNo: string): string {
    return this.#last(orderNo)?.tradeNo ?? '';
  }

  /** The signed body of the notification of an order's payment; `but`: fields that differ from the truth. */
  notification(orderNo: string, but: Record<string, string> = {}): string {
    const trade = this.#last(orderNo);
    const params: Record<string, string> = {
      notify_time: '2026-11-21 12:00:00',
      notify_type: 'trade_status_sync',
      notify_id: 'n1',
      version: '1.0',
      app_id: '2021000000000001',
      seller_id: '2088000000000001',
      charset: 'utf-8',
      sign_type: 'RSA2',
      trade_no: trade?.tradeNo ?? tradeNo(),
      out_trade_no: orderNo,
      trade_status: 'TRADE_SUCCESS',
      total_amount: yuanOf(trade?.amount ?? 8_800),
      gmt_payment: '2026-11-21 12:00:00',
      subject: orderNo,
      ...but,
    };
    const text = signable(params, ['sign', 'sign_type']);
    return new URLSearchParams({ ...params, sign: this.#sign(text) }).toString();
  }

  #last(orderNo: string): Trade | undefined {
    return this.#trades.findLast((trade) => trade.orderNo === orderNo);
  }

  #begin(orderNo: string, amount: number): Trade {
    const trade: Trade = { orderNo, tradeNo: tradeNo(), amount, status: 'WAIT_BUYER_PAY', refunds: new Map() };
    this.#trades.push(trade);
    return trade;
  }

  #sign(text: string): string {
    return createSign('RSA-SHA256').update(text, 'utf8').sign(this.#own.privateKey, 'base64');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (this.mode === 'down') {
      request.socket.destroy();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://gateway');
    const body = new URLSearchParams(Buffer.concat(chunks).toString());
    const params = Object.fromEntries([...url.searchParams, ...body]);
    const { method = '', sign = '', biz_content: biz = '{}' } = params;
    this.asked.push(method);
    const genuine = createVerify('RSA-SHA256')
      .update(signable(params, ['sign']), 'utf8')
      .verify(this.#merchant.publicKey, sign, 'base64');
    const node = genuine
      ? this.#answer(method, JSON.parse(biz) as Record<string, string>)
      : no('isv.invalid-signature', '40002');
    const text = JSON.stringify(node);
    const name = `${method.replaceAll('.', '_')}_response`;
    response.setHeader('Content-Type', 'application/json;charset=utf-8');
    response.end(`{"${name}":${text},"sign":"${this.#sign(text)}"}`);
  }

  #answer(method: string, biz: Record<string, string>): object {
    const { out_trade_no: orderNo = '', trade_no: named, out_request_no: refundNo = '' } = biz;
    const trade = this.#trades.find(({ tradeNo }) => tradeNo === named) ?? this.#last(orderNo);
    if (!trade) return no('ACQ.TRADE_NOT_EXIST');
    const about = { code: '10000', msg: 'Success', out_trade_no: orderNo, trade_no: trade.tradeNo };
    switch (method) {
      case 'alipay.trade.query':
        // A wholly refunded order is closed, and has the time of its payment.
        if (backOf(trade) === trade.amount)
          return {
            ...about,
            trade_status: 'TRADE_CLOSED',
            total_amount: yuanOf(trade.amount),
            send_pay_date: '2026-11-21 12:00:00',
          };
        return { ...about, trade_status: trade.status, total_amount: yuanOf(trade.amount) };
      case 'alipay.trade.close':
        if (trade.status === 'TRADE_SUCCESS') return no('ACQ.TRADE_STATUS_ERROR');
        trade.status = 'TRADE_CLOSED';
        return about;
      case 'alipay.trade.refund': {
        if (this.mode === 'no-refunds') return no('ACQ.SELLER_BALANCE_NOT_ENOUGH');
        const amount = fenOf(biz['refund_amount'] ?? '') ?? 0;
        const known = trade.refunds.get(refundNo);
        if (known !== undefined && known !== amount) return no('ACQ.DISCORDANT_REPEAT_REQUEST');
        if (known === undefined && backOf(trade) + amount > trade.amount) return no('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL');
        trade.refunds.set(refundNo, amount);
        return { ...about, fund_change: known === undefined ? 'Y' : 'N', refund_fee: yuanOf(backOf(trade)) };
      }
      case 'alipay.trade.fastpay.refund.query':
        return trade.refunds.has(refundNo) ? { ...about, refund_status: 'REFUND_SUCCESS' } : { ...about };
      default:
        return no('isv.invalid-method');
    }
  }
}

const backOf = ({ refunds }: Trade): number => [...refunds.values()].reduce((sum, amount) => sum + amount, 0);

const no = (sub: string, code = '40004'): object => ({ code, msg: 'Business Failed', sub_code: sub, sub_msg: sub });

const tradeNo = (): string => `20261121220014${String(randomInt(10 ** 14)).padStart(14, '0')}`;

/** Every non-empty value except these names, by name. */
const signable = (params: Record<string, string>, but: string[]): string =>
  Object.entries(params)
    .filter(([name, value]) => !but.includes(name) && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
