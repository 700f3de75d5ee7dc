import { Injectable } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Config } from './config.js';

export type Letter = { to: string; subject: string; text: string; html: string };

/** Sends one letter to one mailbox, or throws: whoever sends from a job is retried. */
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

  async send(letter: Letter): Promise<void> {
    await this.#transport.sendMail({
      from: this.#from,
      // An object, not a header line: an address with a comma can never become two recipients.
      to: { name: '', address: letter.to },
      subject: letter.subject,
      text: letter.text,
      html: letter.html,
    });
  }
}
