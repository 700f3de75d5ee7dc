import { Logger } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import type { Gateway } from '@yiqiao/domain/orders';
import type { z } from 'zod';
import { externalCall } from '../../platform/admission.js';
import type { GatewayRefund, RefundState, TradeState } from './pay-channel.js';

/** No usable answer: none in time, none with a valid signature, or only that the gateway is busy. */
export class NoGatewayAnswer extends Error {
  override readonly name = 'NoGatewayAnswer';
}

/** A signed rejection by the gateway, with its code and reason. */
export class GatewayRejection extends Error {
  override readonly name = 'GatewayRejection';
  /** The answer to a retry: the first request may have been received as well and still be in progress. */
  afterLostAnswer = false;

  constructor(
    readonly code: string,
    readonly reason: string,
  ) {
    super(`${code} ${reason}`.trim());
  }
}

/** Identifies a call in the log, without signed content. */
export type Call = { gateway: Gateway; call: 'pay' | 'query' | 'close' | 'refund'; orderNo: string };

const log = new Logger('PayChannels');

/** Retries once without an answer: every call is idempotent by our number. */
export async function retryOnce<T>(call: Call, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof NoGatewayAnswer)) throw error;
    log.debug({ msg: 'no answer yet', ...call, why: error.message });
    return attempt().catch((second: unknown) => {
      if (second instanceof GatewayRejection) second.afterLostAnswer = true;
      throw second;
    });
  }
}

/** Maps the errors of a call to refusals of the product. */
export async function mapGatewayErrors<T>(call: Call, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoGatewayAnswer) {
      log.warn({ msg: 'the gateway did not answer', ...call, why: error.message });
      throw new Refusal('GATEWAY_UNKNOWN');
    }
    if (error instanceof GatewayRejection) {
      logRejection(call, error);
      throw new Refusal('GATEWAY_REFUSED');
    }
    throw error;
  }
}

/**
 * Looks up something that may not exist: null on one of the `absent` codes. Any other rejection says nothing about it, so the result is
 * unknown.
 */
export async function findOrNull<T>(absent: readonly string[], ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof GatewayRejection)) throw error;
    if (absent.includes(error.code)) return null;
    throw new NoGatewayAnswer(`the look-up was refused: ${error.code} ${plain(error.reason)}`);
  }
}

/** Explains a rejected close by the state of the order. Rethrows it while the order can still be paid. */
export async function closeOrQuery(close: () => Promise<void>, ask: () => Promise<TradeState>): Promise<TradeState> {
  try {
    await close();
    return { state: 'closed' };
  } catch (error) {
    if (!(error instanceof GatewayRejection)) throw error;
    const trade = await ask();
    if (trade.state === 'unpaid') throw error;
    return trade;
  }
}

/** Throws NoGatewayAnswer for an answer of another shape. */
export function parseAnswer<T>(schema: z.ZodType<T>, node: unknown): T {
  const read = schema.safeParse(node);
  if (!read.success)
    throw new NoGatewayAnswer(`an answer without ${read.error.issues.map((issue) => issue.path.join('.')).join()}`);
  return read.data;
}

const REASON_MAX = 80;

/** A refund's reason, cut to the length that every gateway accepts. */
export const reasonOf = (refund: GatewayRefund): string => [...refund.reason].slice(0, REASON_MAX).join('');

/**
 * The state of a rejected refund that cannot be found: refused. After an unanswered try, which may show up later, it stays pending, and
 * the quota must not be given back yet.
 */
export function refundRejection(call: Call, rejection: GatewayRejection): RefundState {
  if (rejection.afterLostAnswer) return { state: 'pending' };
  logRejection(call, rejection);
  return { state: 'refused', why: `${rejection.code} ${plain(rejection.reason)}`.trim() };
}

const logRejection = (call: Call, { code, reason }: GatewayRejection): void =>
  log.warn({ msg: 'the gateway said no', ...call, code, words: plain(reason) });

/** Alipay answers a wrong signature with the whole text to sign, which must not be logged. */
const plain = (reason: string): string => (reason.split('验签字符串', 1)[0] ?? '').slice(0, 120);

/** A signed request. */
export type HttpRequest = { method: 'GET' | 'POST'; url: URL; headers: Record<string, string>; body: string };
/** `header` takes names in lower case. */
export type HttpResponse = { status: number; header: (name: string) => string; body: Buffer };

const ANSWER_BYTES = 1024 * 1024;

/**
 * One try, with `timeoutMs` for the whole exchange, body included. Redirects are not followed, because the signature is for one address.
 * Throws NoGatewayAnswer, also for a status of 500 and above.
 */
export const sendRequest = (request: HttpRequest, timeoutMs: number): Promise<HttpResponse> =>
  externalCall(() => send(request, timeoutMs));

async function send(request: HttpRequest, timeoutMs: number): Promise<HttpResponse> {
  try {
    const answer = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.method === 'GET' ? null : request.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await readAll(answer);
    if (answer.status >= 500) throw new NoGatewayAnswer(`HTTP ${answer.status}`);
    return { status: answer.status, header: (name) => answer.headers.get(name) ?? '', body };
  } catch (error) {
    throw error instanceof NoGatewayAnswer ? error : new NoGatewayAnswer(`no answer: ${causeOf(error)}`);
  }
}

async function readAll(answer: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > ANSWER_BYTES) throw new NoGatewayAnswer(`an answer of more than ${ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Null for invalid JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** `TimeoutError`, `ECONNREFUSED` …: names and codes only. */
export function causeOf(error: unknown): string {
  const { name, code, cause } = Object(error) as { name?: unknown; code?: unknown; cause?: unknown };
  if (cause) return causeOf(cause);
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
