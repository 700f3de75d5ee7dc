import type { Response } from '@yiqiao/contracts/endpoint';
import type { getPayInfo } from '@yiqiao/contracts/orders';
import { PAY_POLL_MS } from '@yiqiao/domain/limits';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { callRoute } from '../api/call.js';
import { ROUTES } from '../api/public-routes.js';

type PayInfo = Response<typeof getPayInfo>;
/** `failures`: consecutive failed polls · `gone`: the order does not exist for this user (not ours, or signed out). */
export type PayStatusUpdate = { order: PayInfo | null; failures: number; gone: boolean };

const NOTHING: PayStatusUpdate = { order: null, failures: 0, gone: false };
/** Timeout of one poll. */
const TIMEOUT_MS = 8_000;
/** Longest interval between polls after failures. */
const MAX_INTERVAL_MS = 5_000;

const isGone = ({ status }: ApiError): boolean => status === 404 || status === 403 || status === 401 || status >= 700;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Polls until the order is no longer pending or `signal` aborts, one request at a time (specification §4: every 0.5 s). */
async function poll(orderId: number, signal: AbortSignal, onUpdate: (update: PayStatusUpdate) => void): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const order = await callRoute<typeof getPayInfo>(ROUTES.getPayInfo, { id: String(orderId) }, { signal: timeout });
      failures = 0;
      if (!signal.aborted) onUpdate({ order, failures, gone: false });
      if (order.payStatus !== 'W') return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (signal.aborted) return;
      failures++;
      onUpdate({ order: null, failures, gone: isGone(error) });
      if (isGone(error)) return;
    }
    await pause(Math.min(PAY_POLL_MS * (failures + 1), MAX_INTERVAL_MS), signal);
  }
}

/** Follows an order while `enabled`; a hidden tab goes on enabled. */
export function usePayStatus(orderId: number, enabled: boolean): PayStatusUpdate {
  const [update, setUpdate] = useState(NOTHING);
  useEffect(() => {
    if (!enabled) return undefined;
    const end = new AbortController();
    void poll(orderId, end.signal, setUpdate);
    return () => end.abort();
  }, [orderId, enabled]);
  return update;
}
