import type { Request } from '@yiqiao/contracts/endpoint';
import { payOrder } from '@yiqiao/contracts/orders';
import { useRef } from 'react';
import { ApiError } from '../../../shared/api/api-error.js';
import { call } from '../../../shared/api/call.js';
import { freshKey } from '../../../shared/api/fresh-key.js';
import type { Offer } from '../../../shared/payment/payment.js';

type Wanted = Request<typeof payOrder>;

/** Whether an order may have come of it although no answer says so. The gateway's clear no is an outcome. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && error.code !== 'GATEWAY_REFUSED' && (error.status === 0 || error.status >= 500);

/**
 * Places an order, each attempt under an Idempotency-Key of its own. Where the outcome is unknown, the same wish goes out again
 * under the same key: it goes on with the order that may be there and never makes a second one (decisions §1).
 */
export function usePlaceOrder(): (wanted: Wanted) => Promise<Offer> {
  const open = useRef<{ body: string; key: string } | null>(null);
  return async (wanted) => {
    const body = JSON.stringify(wanted);
    const attempt = open.current?.body === body ? open.current : { body, key: freshKey() };
    open.current = null;
    try {
      return await call(payOrder, wanted, { idempotencyKey: attempt.key });
    } catch (error) {
      if (isUnknown(error)) open.current = attempt;
      throw error;
    }
  };
}
