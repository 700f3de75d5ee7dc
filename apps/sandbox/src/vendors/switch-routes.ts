import type { FastifyInstance, FastifyReply } from 'fastify';

import { accountOf } from './account.js';
import type { VendorWorld } from './exchange.js';
import { FAULT_BODY, type FaultSwitch } from './vendor-faults.js';

/** What tests turn and read, each by account. */
export function switchRoutes(app: FastifyInstance, { faults, calls }: VendorWorld): void {
  app.get('/vendors/switches', (request, reply) =>
    ofAccount(reply, request.query, (account) => ({ switches: faults.list(account) })),
  );
  app.post<{ Body: { account: string; fault: FaultSwitch } }>(
    '/vendors/switches',
    { schema: { body: FAULT_BODY } },
    ({ body: { account, fault } }, reply) =>
      ofAccount(reply, { account }, () => ({ switches: faults.set(account, fault) })),
  );
  app.delete('/vendors/switches', (request, reply) =>
    ofAccount(reply, request.query, (account) => ({ reset: faults.reset(account) })),
  );
  app.get('/vendors/calls', (request, reply) =>
    ofAccount(reply, request.query, (account) =>
      account === undefined ? { accounts: calls.list().map(({ calls: _, ...sum }) => sum) } : calls.of(account),
    ),
  );
  app.delete('/vendors/calls', (request, reply) =>
    ofAccount(reply, request.query, (account) => {
      calls.reset(account);
      return { reset: account ?? 'all' };
    }),
  );
}

/** Refuses what can be nobody's account: a misspelt name must not look like one that nobody asked. */
function ofAccount(reply: FastifyReply, asked: unknown, work: (account: string | undefined) => object) {
  const { account } = asked as { account?: unknown };
  if (account === undefined) return reply.send(work(undefined));
  if (typeof account !== 'string' || !accountOf(account)) {
    return reply.code(400).send({ error: 'account must be sandbox-<vendor>-<suffix>' });
  }
  return reply.send(work(account));
}
