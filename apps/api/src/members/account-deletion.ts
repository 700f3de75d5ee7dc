import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Quota } from '@yiqiao/domain/ledger';
import { recovery } from '@yiqiao/domain/movements';
import { type AccountView, Ledger, type Posting } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { IdempotencyKey } from '../platform/idempotency.js';
import { OutgoingMail } from '../platform/outgoing-mail.js';
import { uuid7 } from '../platform/uuid7.js';
import { Vault } from '../platform/vault.js';
import { Sessions } from '../sessions/sessions.js';
import { mailboxKeyOf } from './canonical-mailbox.js';
import { MemberDevice } from './device.entity.js';
import { Identity } from './identity.entity.js';
import { LoginLog } from './login-log.entity.js';
import { Member } from './member.entity.js';
import { MemberReminder, Reminder } from './reminders/reminder.entity.js';

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
    const among = { $in: [...userIds] };
    const ids = `{${userIds.join(',')}}`;
    // Rows first: this waits for sign-ins in progress, whose sessions and log lines are then deleted below.
    await em.execute(CLOSE_ROWS, [ids, this.clock.now(), ids]);
    await em.nativeUpdate(Member, { familyId: among, lastName: { $ne: null } }, { lastName: null });
    await this.sessions.endAll(em, userIds, 'closed');
    await this.sessions.eraseAddresses(em, userIds);
    await this.#invalidateCodes(em, userIds);
    for (const entity of [Identity, LoginLog, MemberDevice, OutgoingMail, IdempotencyKey, MemberReminder, Reminder])
      await em.nativeDelete<PersonalData>(entity, { userId: among });
    await em.execute(REVOKE_KEYS, [this.clock.now(), ids]);
    // Raw: the entities belong to features that members must not import.
    for (const table of ['cached_translation', 'invoice_request', 'member_note', 'two_step'])
      await em.execute(`DELETE FROM ${table} WHERE user_id = ANY (?::bigint[])`, [ids]);
    // Endpoints first: this waits for messages that are being stored, which are then deleted as well.
    for (const table of ['webhook_endpoint', 'webhook_message'])
      await em.execute(`DELETE FROM ${table} WHERE family_id = ANY (?::bigint[])`, [ids]);
  }

  /**
   * Invalidates the mailed codes and erases their contents. The rows stay for a day without a name, so that a deletion does not reset the
   * pause between two codes for an address. Runs before the addresses are deleted, because the rows are found by them.
   */
  async #invalidateCodes(em: EntityManager, userIds: readonly number[]): Promise<void> {
    const mailboxes = await em.find(
      Identity,
      { userId: { $in: [...userIds] }, kind: 'email' },
      { disableIdentityMap: true },
    );
    for (const { shown } of mailboxes)
      await em.execute(INVALIDATE_CODES, [this.clock.now(), mailboxKeyOf(this.vault, shown)]);
  }
}

/** A row about one member. */
type PersonalData = { userId: number };

// Raw: sets a column by a subquery.
const CLOSE_ROWS = `
UPDATE member SET nickname = NULL, password_hash = NULL, invite_code = NULL, language = NULL,
  last_name = (SELECT shown FROM identity WHERE user_id = member.id AND kind = 'username' AND parent_id <> ALL (?::bigint[])),
  closed_at = ?
WHERE id = ANY (?::bigint[]) AND closed_at IS NULL`;

// Raw: the entity belongs to a feature that members must not import.
const REVOKE_KEYS = `
UPDATE api_key SET revoked_at = COALESCE(revoked_at, ?), allowed_ips = '{}' WHERE user_id = ANY (?::bigint[])`;

// Raw: the entity belongs to a feature that members must not import.
const INVALIDATE_CODES =
  'UPDATE verification_code SET used_at = COALESCE(used_at, ?), sealed_letter = NULL WHERE mailbox_key = ?';
