import type { Response } from '@yiqiao/contracts/endpoint';
import type { getPayInfo } from '@yiqiao/contracts/orders';
import { PAY_POLL_MS } from '@yiqiao/domain/limits';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { callRoute } from '../api/call.js';
import { ROUTES } from '../api/public-routes.js';

type PayInfo = Response<typeof getPayInfo>;
/** `failures`: how often in a row nothing could be learned · `gone`: there is nothing to ask about (not ours, or signed out). */
export type PayStatusNews = { order: PayInfo | null; failures: number; gone: boolean };

const NOTHING: PayStatusNews = { order: null, failures: 0, gone: false };
/** One answer may take this long; then the next question is asked. */
const PATIENCE_MS = 8_000;
/** While nothing can be learned the questions come less often, up to this. */
const SLOWEST_MS = 5_000;

const isGone = ({ status }: ApiError): boolean => status === 404 || status === 403 || status === 401 || status >= 700;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Asks until the order is no longer waiting or `signal` ends it: one question at a time (specification §4: every 0.5 s). */
async function askOn(orderId: number, signal: AbortSignal, tell: (news: PayStatusNews) => void): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      const order = await callRoute<typeof getPayInfo>(
        ROUTES.getPayInfo,
        { id: String(orderId) },
        { signal: deadline },
      );
      failures = 0;
      if (!signal.aborted) tell({ order, failures, gone: false });
      if (order.payStatus !== 'W') return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (signal.aborted) return;
      failures++;
      tell({ order: null, failures, gone: isGone(error) });
      if (isGone(error)) return;
    }
    await pause(Math.min(PAY_POLL_MS * (failures + 1), SLOWEST_MS), signal);
  }
}

/** Follows an order while `asking`; a hidden tab goes on asking. */
export function usePayStatus(orderId: number, asking: boolean): PayStatusNews {
  const [news, setNews] = useState(NOTHING);
  useEffect(() => {
    if (!asking) return undefined;
    const end = new AbortController();
    void askOn(orderId, end.signal, setNews);
    return () => end.abort();
  }, [orderId, asking]);
  return news;
}
