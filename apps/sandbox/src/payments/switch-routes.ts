import type { FastifyInstance } from 'fastify';

import type { Notifier } from './notifier.js';
import { FAULT_BODY, type FaultSwitch, type PaymentFaults } from './payment-faults.js';
import type { TradeStore } from './trade-store.js';

/** Longest time that may be let pass at once, in seconds: a month. */
const LONGEST = 31 * 24 * 3600;

const FORWARD_BODY = {
  type: 'object',
  required: ['seconds'],
  additionalProperties: false,
  properties: {
    seconds: { type: 'integer', minimum: 0, maximum: LONGEST },
    expiry: { type: 'boolean' },
    orderNo: { type: 'string', minLength: 1, maxLength: 64 },
  },
} as const;

/** `expiry`: the end of what waits comes nearer too. `orderNo`: for this order only. */
interface Forward {
  readonly seconds: number;
  readonly expiry?: boolean;
  readonly orderNo?: string;
}

/** What tests turn and read: failures, time, and every trade with its notifications. */
export function switchRoutes(
  app: FastifyInstance,
  { store, faults, notifier }: { store: TradeStore; faults: PaymentFaults; notifier: Notifier },
): void {
  app.get('/payments/faults', () => faults.state);
  app.post<{ Body: FaultSwitch }>('/payments/faults', { schema: { body: FAULT_BODY } }, (request) =>
    faults.set(request.body),
  );
  app.post<{ Body: Forward }>(
    '/payments/forward',
    { schema: { body: FORWARD_BODY } },
    async ({ body: { seconds, expiry, orderNo } }) => {
      if (expiry) store.hasten(seconds * 1000, orderNo);
      return { sent: await notifier.forward(seconds * 1000, orderNo) };
    },
  );
  app.get('/payments/trades', (request) => {
    const { orderNo } = request.query as { orderNo?: string };
    return store.list(orderNo);
  });
}
