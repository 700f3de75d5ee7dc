import { defineEntity, p } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { failpoint } from './failpoint.js';
import { type Mail, Mailer } from './mail.js';
import { Outbox } from './outbox.js';
import { Vault } from './vault.js';

const schema = defineEntity({
  name: 'OutgoingMail',
  properties: {
    id: p.bigint('number').primary(),
    userId: p.bigint('number'),
    /** Address and content, encrypted until the mail is sent, then null. */
    sealed: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Set before the mail is sent, so that it is not sent twice. */
    sentAt: p.datetime().strictNullable(),
  },
});

/** A mail whose content is fixed by the transaction that caused it (docs/decisions/0047). */
export class OutgoingMail extends schema.class {}
schema.setClass(OutgoingMail);

@Injectable()
export class OutgoingMails {
  constructor(
    private readonly vault: Vault,
    private readonly outbox: Outbox,
  ) {}

  /** Records a mail in the caller's transaction; the worker sends it once that is committed. */
  async record(em: EntityManager, userId: number, mail: Mail): Promise<void> {
    const mailId = await em.insert(OutgoingMail, { userId, sealed: this.vault.seal(JSON.stringify(mail)) });
    await this.outbox.record(em, { type: 'MailRecorded', mailId });
  }
}

/** Sends a recorded mail. Runs in a job. */
export class SendMail extends Command<void> {
  constructor(readonly mailId: number) {
    super();
  }
}

/** No row when it was sent before, or its account was closed. Raw: an UPDATE that returns a column. */
const CLAIM = 'UPDATE outgoing_mail SET sent_at = now() WHERE id = ? AND sent_at IS NULL RETURNING sealed';

/**
 * Sends at most one mail: marks it as sent before calling the mail server, and resets the mark when that fails. A crash in between loses the
 * mail rather than sending it twice; everything these mails say is shown in the console as well.
 */
@CommandHandler(SendMail)
export class SendMailHandler implements ICommandHandler<SendMail> {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: Vault,
    private readonly mailer: Mailer,
  ) {}

  async execute({ mailId: id }: SendMail): Promise<void> {
    const em = this.em.fork();
    const [row] = await em.execute<{ sealed: string | null }[]>(CLAIM, [id]);
    if (!row?.sealed) return;
    try {
      await this.mailer.send(JSON.parse(this.vault.open(row.sealed)) as Mail);
    } catch (error) {
      await em.nativeUpdate(OutgoingMail, { id }, { sentAt: null });
      throw error;
    }
    failpoint('after-mail');
    await em.nativeUpdate(OutgoingMail, { id }, { sealed: null });
  }
}
