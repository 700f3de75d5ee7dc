import type { AddressInfo } from 'node:net';

import type { SandboxConfig } from '../server/config.js';
import { listenOn } from '../server/listen.js';
import type { SandboxModule } from '../server/sandbox-module.js';
import { inboxPage } from './inbox-page.js';
import { MailFaults } from './mail-faults.js';
import { MailFile } from './mail-file.js';
import { mailRoutes } from './mail-routes.js';
import { Mailbox } from './mailbox.js';
import { smtpServer } from './smtp-server.js';

/** The mail of the outside world: everything sent to the SMTP port ends in one inbox. */
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
