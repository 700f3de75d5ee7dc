import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { type AccountMail, accountMail } from '../platform/mail-template.js';
import { OutgoingMails } from '../platform/outgoing-mail.js';
import { Identity } from './identity.entity.js';
import { closedMail, type DeviceSignIn, newDeviceMail } from './mail-messages.js';
import { Member } from './member.entity.js';

/** Where a mail goes: the mailbox of a main account, and the language of its last sign-in. */
export type Addressee = { readonly to: string; readonly language: Language };

/** Mails to main accounts, recorded in the caller's transaction. Sub-accounts have no mailbox. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly outgoing: OutgoingMails,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Null for a sub-account and a closed account. */
  async addresseeOf(em: EntityManager, userId: number): Promise<Addressee | null> {
    const identity = await em.findOne(Identity, { kind: 'email', userId }, { disableIdentityMap: true });
    if (!identity) return null;
    const member = await em.findOne(Member, { id: userId }, { fields: ['language'], disableIdentityMap: true });
    return { to: identity.shown, language: member?.language ?? 'zh' };
  }

  /** Mails a main account; nothing to any other. */
  async send(em: EntityManager, userId: number, compose: (language: Language) => AccountMail): Promise<void> {
    const addressee = await this.addresseeOf(em, userId);
    if (addressee) await this.#record(em, userId, { to: addressee.to, mail: compose(addressee.language) });
  }

  newDevice(em: EntityManager, { id }: { id: number }, signIn: Omit<DeviceSignIn, 'at'>): Promise<void> {
    const at = this.clock.toWire(this.clock.now());
    return this.send(em, id, (language) => newDeviceMail(language, { ...signIn, at }, this.config.publicUrl));
  }

  /** To the address that the account had, which the caller read before closing it. */
  closed(em: EntityManager, userId: number, { to, language }: Addressee, children: number): Promise<void> {
    const at = this.clock.toWire(this.clock.now());
    return this.#record(em, userId, { to, mail: closedMail(language, { at, children }) });
  }

  #record(em: EntityManager, userId: number, { to, mail }: { to: string; mail: AccountMail }): Promise<void> {
    return this.outgoing.record(em, userId, { to, ...accountMail(mail) });
  }
}
