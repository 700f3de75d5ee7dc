import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { serveBrowserModules } from '../server/browser-modules.js';
import type { SandboxConfig } from '../server/config.js';
import { type Language, wantsPage } from '../server/language.js';
import { listenOn } from '../server/listen.js';
import { BRIDGE, type PageView, sendPage } from '../server/page.js';
import type { SandboxModule, Site } from '../server/sandbox-module.js';
import { INBOX_TEXTS } from './browser/inbox-texts.js';
import { FAULT_MODES, type FaultSwitch, MailFaults, MAX_DELAY } from './mail-faults.js';
import { MailFile } from './mail-file.js';
import { Mailbox } from './mailbox.js';
import { smtpServer } from './smtp-server.js';

/** The mail module: everything sent to the SMTP port ends up in one inbox. */
export interface MailModule extends SandboxModule {
  /** host:port of the SMTP server, known once it has started. */
  smtpAddress(): string;
}

/** Builds the SMTP server and the inbox it fills. */
export function mailModule(config: SandboxConfig): MailModule {
  const mailbox = new Mailbox(config.dataDir === null ? null : new MailFile(config.dataDir));
  const faults = new MailFaults();
  const smtp = smtpServer(mailbox, faults);
  const smtpAddress = () => {
    const { port } = (smtp.server.address() ?? { port: config.smtpPort }) as AddressInfo;
    return `${config.host}:${port}`;
  };
  return {
    entry: {
      href: '/mail',
      name: { zh: '收件箱', en: 'Inbox' },
      purpose: { zh: '产品发出的每一封邮件', en: 'Every mail the product has sent' },
    },
    smtpAddress,
    routes: (app, site) => mailRoutes(app, { mailbox, faults, page: { site, view: inboxPage(smtpAddress) } }),
    start: async () => {
      await listenOn(smtp.server, { host: config.host, port: config.smtpPort });
    },
    stop: () =>
      new Promise((resolve) => {
        if (!smtp.server.listening) return resolve();
        return smtp.close(() => resolve());
      }),
  };
}

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
  // A restarted sandbox counts from zero again; the random part keeps an old ETag from matching new contents.
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

/** The addresses in the query. Addresses contain no space, so a space is an unencoded "+". */
function recipients(request: FastifyRequest): string[] {
  const { to } = request.query as { to?: string | string[] };
  return [to ?? []].flat().map((address) => address.trim().replaceAll(' ', '+'));
}

/**
 * The shell of the inbox. It contains no mail: browser modules fetch mails as JSON and render them as text,
 * so that a sender cannot inject markup into this page.
 */
export function inboxPage(smtpAddress: () => string): PageView {
  return {
    path: '/mail',
    title: { zh: INBOX_TEXTS.zh.title, en: INBOX_TEXTS.en.title },
    head: '<script type="module" src="/mail/browser/inbox.js"></script>',
    body: (language) => body(language, smtpAddress()),
  };
}

function body(language: Language, smtpAddress: string): string {
  const texts = INBOX_TEXTS[language];
  return `<main id="main" class="inbox" data-view="list">
<div class="inbox-head">
<div><h1>${texts.title}</h1><p>${texts.about} <code>smtp://${smtpAddress}</code></p></div>
<p class="live" id="live" role="status"></p>
</div>
<noscript><p class="framed">${texts.needsScript}</p></noscript>
<section class="mails" aria-label="${texts.list}">
<div class="tools">
<label class="search"><span class="unseen">${texts.search}</span><input id="search" type="search" placeholder="${texts.search}" autocomplete="off" spellcheck="false" inputmode="email"></label>
<button id="clear" type="button" class="quiet" hidden>${texts.clear}</button>
</div>
<ul id="list"></ul>
<div id="none" class="empty" hidden>${BRIDGE}<h2 id="none-title"></h2><p id="none-why"></p><button id="reset" type="button" class="quiet">${texts.reset}</button></div>
<p class="keys">${texts.keys}</p>
</section>
<article id="mail" aria-label="${texts.mail}" tabindex="-1"></article>
</main>`;
}
