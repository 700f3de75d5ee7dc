/** What operators' pages hear while they are open (operators §7). */
import { z } from 'zod';
import { eventStream, nothing } from '../endpoint.js';
import { operatorEndpoint } from './endpoint.js';

/** Each means that data changed and must be read again. */
export const operatorEvents = {
  /** The first event: later changes will be sent. */
  ready: z.object({}),
  /** A run of the audit began, went on or ended. */
  audit: z.object({ id: z.int() }),
  /** A what-if began, went on or ended. */
  whatIf: z.object({ id: z.int() }),
  /** A family became read-only, or is no longer. */
  readOnly: z.object({ familyId: z.int() }),
  /** A notice or a document was changed. */
  content: z.object({}),
  /** A request was made or decided. */
  requests: z.object({}),
} as const;

export type OperatorEvents = { [Name in keyof typeof operatorEvents]: z.output<(typeof operatorEvents)[Name]> };

/** Server-sent events. A comment line keeps the connection alive; it ends within a second after its session. */
export const openOperatorStream = operatorEndpoint({
  method: 'GET',
  path: '/stream',
  action: 'self.manage',
  request: nothing,
  response: eventStream,
  stream: operatorEvents,
});
