import { Injectable } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Config } from './config.js';

export type Mail = { to: string; subject: string; text: string; html: string };

/** Sends one mail to one mailbox, or throws; jobs are then retried. */
@Injectable()
export class Mailer {
  readonly #transport: Transporter;
  readonly #from: string;

  constructor(config: Config) {
    this.#from = config.env.MAIL_FROM;
    this.#transport = createTransport({
      url: config.env.SMTP_URL,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send(mail: Mail): Promise<void> {
    await this.#transport.sendMail({
      from: this.#from,
      // An object, not a header line: an address with a comma can never become two recipients.
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
    });
  }
}
