import { join } from 'node:path';

import type { FastifyInstance, FastifyReply } from 'fastify';

import { browserFiles } from '../shell/browser-files.js';
import { wantsPage } from '../shell/language.js';
import { sendPage } from '../shell/page.js';
import type { Site } from '../shell/part.js';
import { accountOf } from './account.js';
import type { VendorWorld } from './exchange.js';
import { VENDORS_PAGE } from './vendor-page.js';
import { vendorRows } from './vendor-rows.js';
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

/** The page for people, and the same as JSON for everything else. */
export function pageRoutes(app: FastifyInstance, world: VendorWorld, site: Site): void {
  app.get('/vendors', (request, reply) => {
    if (wantsPage(request.headers.accept)) return sendPage(request, reply, { site, view: VENDORS_PAGE });
    void reply.headers({ 'cache-control': 'no-store', vary: 'Accept, Accept-Language' });
    return reply.send({ accounts: vendorRows(world) });
  });
  browserFiles(app, { path: '/vendors/browser', folder: join(import.meta.dirname, 'browser') });
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
