import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Site } from '../server/sandbox-module.js';
import { serveBrowserModules } from '../server/browser-modules.js';
import { wantsPage } from '../server/language.js';
import { sendPage, type PageView } from '../server/page.js';
import { FAULT_MODES, MAX_DELAY, type FaultSwitch, type MailFaults } from './mail-faults.js';
import type { Mailbox } from './mailbox.js';

const FAULT_BODY = {
  type: 'object',
  required: ['mode'],
  additionalProperties: false,
  properties: {
    mode: { enum: FAULT_MODES },
    count: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    delayMs: { type: 'integer', minimum: 0, maximum: MAX_DELAY },
  },
} as const;

/** The inbox over HTTP: JSON for tools, a page for browsers, and the switches for tests (decisions §8). */
export function mailRoutes(app: FastifyInstance, inbox: { mailbox: Mailbox; faults: MailFaults; page: Page }): void {
  const { mailbox, faults, page } = inbox;
  // A restarted sandbox counts from zero again; the random part keeps an old tag from matching new contents.
  const run = randomBytes(6).toString('hex');

  app.get('/mail', (request, reply) => {
    if (wantsPage(request.headers.accept)) return sendPage(request, reply, page);
    const tag = `"${run}-${mailbox.version}"`;
    void reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'Accept, Accept-Language' });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.send(mailbox.list(recipients(request)));
  });
  app.delete('/mail', (request) => ({ cleared: mailbox.clear(recipients(request)) }));

  app.get('/mail/faults', () => faults.state);
  app.post<{ Body: FaultSwitch }>('/mail/faults', { schema: { body: FAULT_BODY } }, (request) =>
    faults.set(request.body),
  );
  serveBrowserModules(app, { path: '/mail/browser', folder: join(import.meta.dirname, 'browser') });
}

interface Page {
  readonly site: Site;
  readonly view: PageView;
}

/** The addresses asked for. No address holds a space: one can only be a "+" that the sender forgot to encode. */
function recipients(request: FastifyRequest): string[] {
  const { to } = request.query as { to?: string | string[] };
  return [to ?? []].flat().map((address) => address.trim().replaceAll(' ', '+'));
}
