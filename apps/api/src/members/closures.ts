import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Quota } from '@yiqiao/domain/ledger';
import { recovery } from '@yiqiao/domain/movements';
import { type AccountView, Ledger, type Posting } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { uuid7 } from '../platform/uuid7.js';
import { Vault } from '../platform/vault.js';
import { Sessions } from '../sessions/sessions.js';
import { mailboxKeyOf } from './mailbox-key.js';

export type Recovering = { mainId: number; childIds: readonly number[]; releaseHolds: readonly number[] };

/** Accounts end here: their quota goes home, their sessions end, what is personal goes; the ledger and a row without a name stay. */
@Injectable()
export class Closures {
  constructor(
    private readonly ledger: Ledger,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
    private readonly vault: Vault,
  ) {}

  /**
   * Gives everything that these sub-accounts have back to their main account, a RECOVERY on both sides for each that has something,
   * after what `releaseHolds` had reserved is free again. The caller's transaction holds the main account's lock and theirs.
   */
  async recover(em: EntityManager, closing: Recovering): Promise<void> {
    const { mainId, childIds, releaseHolds } = closing;
    const command = { cmdId: uuid7(), releaseHolds };
    const rule = (accounts: readonly AccountView[]): Posting[] =>
      accounts
        .filter(({ userId, state }) => userId !== mainId && state.charNum + state.voiceNum + state.imageNum > 0)
        .flatMap(({ userId, state }, at) => {
          const left: Quota = { charNum: state.charNum, voiceNum: state.voiceNum, imageNum: state.imageNum };
          // The main account moves once for each: both sides of one recovery share an id that no other has.
          const cmdId = at === 0 ? command.cmdId : uuid7();
          return recovery({ mainId, childId: userId }, left).map((side) => ({ ...side, cmdId }));
        });
    await this.ledger.move(em, { userIds: [mainId, ...childIds] }, { rule, command });
  }

  /**
   * Ends these members: nobody signs in as them any more, and their names are free. A deleted sub-account's last name stays for its main
   * account's log and goes with that (decisions §3). A statement for each table, however many.
   */
  async close(em: EntityManager, userIds: readonly number[]): Promise<void> {
    const ids = `{${userIds.join(',')}}`;
    // First the rows: a sign-in that was under way has ended, and its session and its line of the log go below.
    await em.execute(CLOSE_ROWS, [ids, this.clock.now(), ids]);
    await em.execute(
      'UPDATE member SET last_name = NULL WHERE family_id = ANY (?::bigint[]) AND last_name IS NOT NULL',
      [ids],
    );
    await this.sessions.endAllOf(em, userIds, 'closed');
    await this.sessions.forgetAddresses(em, userIds);
    await this.#forgetCodes(em, ids);
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
   * The codes that were mailed to them work no more and say nothing. That there were some is known for a day, without a name: the pause
   * between two of an address ends for nobody's log-off. Before their addresses go: under these they are found.
   */
  async #forgetCodes(em: EntityManager, ids: string): Promise<void> {
    const mailboxes = await em.execute<{ shown: string }[]>(
      `SELECT shown FROM identity WHERE user_id = ANY (?::bigint[]) AND kind = 'email'`,
      [ids],
    );
    for (const { shown } of mailboxes)
      await em.execute(FORGET_CODES, [this.clock.now(), mailboxKeyOf(this.vault, shown)]);
  }
}

const CLOSE_ROWS = `
UPDATE member SET nickname = NULL, password_hash = NULL, invite_code = NULL,
  last_name = (SELECT shown FROM identity WHERE user_id = member.id AND kind = 'username' AND parent_id <> ALL (?::bigint[])),
  closed_at = ?
WHERE id = ANY (?::bigint[]) AND closed_at IS NULL`;

const FORGET_CODES =
  'UPDATE verification_code SET used_at = COALESCE(used_at, ?), sealed_letter = NULL WHERE mailbox_key = ?';
