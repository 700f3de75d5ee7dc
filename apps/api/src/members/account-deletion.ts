import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Quota } from '@yiqiao/domain/ledger';
import { recovery } from '@yiqiao/domain/movements';
import { type AccountView, Ledger, type Posting } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { uuid7 } from '../platform/uuid7.js';
import { Vault } from '../platform/vault.js';
import { Sessions } from '../sessions/sessions.js';
import { mailboxKeyOf } from './canonical-mailbox.js';

export type QuotaReturn = { mainId: number; childIds: readonly number[]; releaseHolds: readonly number[] };

/** Deletes accounts: returns their quota, ends their sessions, erases personal data; the ledger and an anonymous row stay. */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly ledger: Ledger,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
    private readonly vault: Vault,
  ) {}

  /**
   * Releases the holds of `releaseHolds`, then returns the quota of these sub-accounts to their main account: a RECOVERY on both sides for
   * each sub-account with a balance. The caller's transaction holds the main account's lock and theirs.
   */
  async returnQuota(em: EntityManager, { mainId, childIds, releaseHolds }: QuotaReturn): Promise<void> {
    const command = { cmdId: uuid7(), releaseHolds };
    const rule = (accounts: readonly AccountView[]): Posting[] =>
      accounts
        .filter(({ userId, state }) => userId !== mainId && state.charNum + state.voiceNum + state.imageNum > 0)
        .flatMap(({ userId, state }, at) => {
          const left: Quota = { charNum: state.charNum, voiceNum: state.voiceNum, imageNum: state.imageNum };
          // The main account has one entry per sub-account: both sides of a recovery share a command id of their own.
          const cmdId = at === 0 ? command.cmdId : uuid7();
          return recovery({ mainId, childId: userId }, left).map((side) => ({ ...side, cmdId }));
        });
    await this.ledger.move(em, { userIds: [mainId, ...childIds] }, { rule, command });
  }

  /**
   * Closes these members: they cannot sign in, and their names are free. A deleted sub-account's last name is kept for its main account's log
   * and erased with the main account (decisions §3). One statement per table.
   */
  async close(em: EntityManager, userIds: readonly number[]): Promise<void> {
    // Raw: bulk statements for thousands of members, partly on tables of features that members must not import.
    const ids = `{${userIds.join(',')}}`;
    // Rows first: this waits for sign-ins in progress, whose sessions and log lines are then deleted below.
    await em.execute(CLOSE_ROWS, [ids, this.clock.now(), ids]);
    await em.execute(
      'UPDATE member SET last_name = NULL WHERE family_id = ANY (?::bigint[]) AND last_name IS NOT NULL',
      [ids],
    );
    await this.sessions.endAllOf(em, userIds, 'closed');
    await this.sessions.eraseAddresses(em, userIds);
    await this.#invalidateCodes(em, ids);
    for (const table of [
      'identity',
      'login_log',
      'idempotency_key',
      'cached_translation',
      'member_reminder',
      'reminder',
    ])
      await em.execute(`DELETE FROM ${table} WHERE user_id = ANY (?::bigint[])`, [ids]);
  }

  /**
   * Invalidates the mailed codes and erases their contents. The rows stay for a day without a name, so that a deletion does not reset the
   * pause between two codes for an address. Runs before the addresses are deleted, because the rows are found by them.
   */
  async #invalidateCodes(em: EntityManager, ids: string): Promise<void> {
    const mailboxes = await em.execute<{ shown: string }[]>(
      `SELECT shown FROM identity WHERE user_id = ANY (?::bigint[]) AND kind = 'email'`,
      [ids],
    );
    for (const { shown } of mailboxes)
      await em.execute(INVALIDATE_CODES, [this.clock.now(), mailboxKeyOf(this.vault, shown)]);
  }
}

const CLOSE_ROWS = `
UPDATE member SET nickname = NULL, password_hash = NULL, invite_code = NULL,
  last_name = (SELECT shown FROM identity WHERE user_id = member.id AND kind = 'username' AND parent_id <> ALL (?::bigint[])),
  closed_at = ?
WHERE id = ANY (?::bigint[]) AND closed_at IS NULL`;

const INVALIDATE_CODES =
  'UPDATE verification_code SET used_at = COALESCE(used_at, ?), sealed_letter = NULL WHERE mailbox_key = ?';
