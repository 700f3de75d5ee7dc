import type { AddressInfo } from 'node:net';

import type { SandboxConfig } from '../shell/config.js';
import { listening } from '../shell/listening.js';
import type { Part } from '../shell/part.js';
import { inboxPage } from './inbox-page.js';
import { MailFaults } from './mail-faults.js';
import { MailFile } from './mail-file.js';
import { mailRoutes } from './mail-routes.js';
import { Mailbox } from './mailbox.js';
import { smtpServer } from './smtp-server.js';

/** The mail of the outside world: everything sent to the SMTP port ends in one inbox. */
export interface MailPart extends Part {
  /** host:port of the SMTP server, known once it has started. */
  smtpAddress(): string;
}

/** Builds the SMTP server and the inbox it fills. */
export function mailPart(config: SandboxConfig): MailPart {
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
      await listening(smtp.server, { host: config.host, port: config.smtpPort });
    },
    stop: () =>
      new Promise((resolve) => {
        if (!smtp.server.listening) return resolve();
        return smtp.close(() => resolve());
      }),
  };
}
