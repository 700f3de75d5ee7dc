import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Outbox } from '../platform/outbox.js';
import { Passwords } from '../platform/passwords.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Vault } from '../platform/vault.js';
import { Closures } from './closures.js';
import { Identity } from './identity.entity.js';
import { lockMain } from './lock-main.js';
import { mailboxKeyOf } from './mailbox-key.js';
import { Member } from './member.entity.js';
import { SubAccounts } from './sub-accounts.js';

/** The end of a family: main account and all sub-accounts, for good, in one transaction (decisions §3). */
export class LogOff extends Command<true> {
  constructor(
    readonly mainId: number,
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(LogOff)
export class LogOffHandler implements ICommandHandler<LogOff> {
  constructor(
    private readonly em: EntityManager,
    private readonly subAccounts: SubAccounts,
    private readonly closures: Closures,
    private readonly passwords: Passwords,
    private readonly limits: RateLimits,
    private readonly vault: Vault,
    private readonly outbox: Outbox,
  ) {}

  async execute({ mainId, password }: LogOff): Promise<true> {
    const passwordHash = await this.#proven(mainId, password);
    await this.em.fork().transactional(async (em) => {
      const main = await lockMain(em, mainId);
      // Changed meanwhile: then this is no longer the password.
      if (main.passwordHash !== passwordHash) throw new Refusal('WRONG_PASSWORD');
      const childIds = await this.subAccounts.lockedIdsOf(em, mainId);
      await this.closures.recover(em, { mainId, childIds, releaseHolds: [mainId, ...childIds] });
      await this.#forgetCodes(em, mainId);
      await this.closures.close(em, [mainId, ...childIds]);
      await this.outbox.record(em, { type: 'MemberLoggedOff', userId: mainId });
    });
    return true;
  }

  /** The hash that the password was right for. Whoever holds a session alone shall not find the password out by trying. */
  async #proven(mainId: number, password: string): Promise<string> {
    const guesses = `log-off:${mainId}`;
    await this.limits.check('loginFailures', guesses);
    const known = await this.em.fork().findOne(Member, { id: mainId, closedAt: null });
    if (!known?.passwordHash) throw new Refusal('SESSION_CLOSED');
    if (await this.passwords.matches(password, known.passwordHash)) {
      // Again: a right guess in the middle of a burst of wrong ones is still a guess.
      await this.limits.check('loginFailures', guesses);
      return known.passwordHash;
    }
    await this.limits.take('loginFailures', guesses);
    throw new Refusal('WRONG_PASSWORD');
  }

  async #forgetCodes(em: EntityManager, mainId: number): Promise<void> {
    const mailbox = await em.findOne(Identity, { kind: 'email', userId: mainId });
    if (!mailbox) return;
    await em.execute('DELETE FROM verification_code WHERE mailbox_key = ?', [mailboxKeyOf(this.vault, mailbox.shown)]);
  }
}
