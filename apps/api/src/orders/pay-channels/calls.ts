import { Logger } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import type { Gateway } from '@yiqiao/domain/orders';
import type { z } from 'zod';
import type { GatewayRefund, RefundState, Standing } from './pay-channel.js';

/** It could not be learnt what the gateway says: nothing came in time, nothing that it signed, or only that it is busy. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The gateway says no, under its signature and in its own words. */
export class SaidNo extends Error {
  override readonly name = 'SaidNo';
  /** It is the answer to a second try: the first one may have been heard as well, and be still under way. */
  afterSilence = false;

  constructor(
    readonly code: string,
    readonly words: string,
  ) {
    super(`${code} ${words}`.trim());
  }
}

/** A call, as the log names it: by our own number, never by what was signed. */
export type Call = { gateway: Gateway; call: 'offer' | 'query' | 'close' | 'refund'; orderNo: string };

const log = new Logger('PayChannels');

/** Tries once more when nothing was learnt: every call may be repeated under the same number. */
export async function again<T>(call: Call, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    log.debug({ msg: 'no answer yet', ...call, why: error.message });
    return attempt().catch((second: unknown) => {
      if (second instanceof SaidNo) second.afterSilence = true;
      throw second;
    });
  }
}

/** Whatever a gateway did in the end, in the words of the product: an answer, or one of its two refusals. */
export async function answered<T>(call: Call, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoAnswer) {
      log.warn({ msg: 'the gateway did not answer', ...call, why: error.message });
      throw new Refusal('GATEWAY_UNKNOWN');
    }
    if (error instanceof SaidNo) {
      tellNo(call, error);
      throw new Refusal('GATEWAY_REFUSED');
    }
    throw error;
  }
}

/**
 * Looks something up that may not be there: null when the gateway has none, by one of these codes. Any other no is none of its fate,
 * which stays unknown.
 */
export async function lookUp<T>(nothing: readonly string[], ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof SaidNo)) throw error;
    if (nothing.includes(error.code)) return null;
    throw new NoAnswer(`the look-up was refused: ${error.code} ${plain(error.words)}`);
  }
}

/** Where closing is refused, what became of the order explains it; one that can still be paid explains nothing. */
export async function closeOrAsk(close: () => Promise<void>, ask: () => Promise<Standing>): Promise<Standing> {
  try {
    await close();
    return { state: 'closed' };
  } catch (error) {
    if (!(error instanceof SaidNo)) throw error;
    const standing = await ask();
    if (standing.state === 'unpaid') throw error;
    return standing;
  }
}

/** Throws NoAnswer for an answer that cannot be understood. */
export function understood<T>(schema: z.ZodType<T>, node: unknown): T {
  const read = schema.safeParse(node);
  if (!read.success)
    throw new NoAnswer(`an answer without ${read.error.issues.map((issue) => issue.path.join('.')).join()}`);
  return read.data;
}

const REASON_MAX = 80;

/** As much of a refund's reason as every gateway takes. */
export const reasonOf = (refund: GatewayRefund): string => [...refund.reason].slice(0, REASON_MAX).join('');
/**
 * What a no to a refund that is nowhere to be found means: it is refused. Unless an earlier try was not answered, which may have been
 * heard and be found later: then it is asked for again, and quota must not be given back meanwhile.
 */
export function refusedRefund(call: Call, no: SaidNo): RefundState {
  if (no.afterSilence) return { state: 'pending' };
  tellNo(call, no);
  return { state: 'refused', why: `${no.code} ${plain(no.words)}`.trim() };
}

const tellNo = (call: Call, { code, words }: SaidNo): void =>
  log.warn({ msg: 'the gateway said no', ...call, code, words: plain(words) });

/** Alipay answers a wrong signature with all of the text that it would have signed: that belongs in no log. */
const plain = (words: string): string => (words.split('验签字符串', 1)[0] ?? '').slice(0, 120);
