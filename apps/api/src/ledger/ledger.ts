import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry, Movement } from '@yiqiao/domain/ledger';
import { readBalances, readFingerprints, type Balance } from './balances.js';
import type { Held, Hold, Note, Release, Released, Settle, Settled } from './writer/commands.js';
import { type FromWhere, matchingLines } from './log/matching-lines.js';
import { ordinalRange, type Range } from './log/ordinal-range.js';
import { openAccount, viewAccounts, type AccountView, type Which } from './movements/locked-accounts.js';
import { moveByRule, postMovements, type MoveCommand, type Posting, type Rule } from './movements/post-movements.js';
import { LedgerWriter } from './writer/ledger-writer.js';

export { archivedNote } from './rows/archived.js';
export { auditLedger, type AuditResult } from './audit/audit.js';
export type { Balance } from './balances.js';
export { type Changes, ChangedAccounts } from './changed-accounts.js';
export type { Held, Hold, Note, Release, Released, Settle, Settled, Usage, VendorUse } from './writer/commands.js';
export type { AccountView, Which } from './movements/locked-accounts.js';
export type { MoveCommand, Posting, Rule } from './movements/post-movements.js';
export { priceAtSql } from './rows/price-at.js';
export { SpendingCaps, type Caps } from './spending-caps.js';

/**
 * The only writer of balances (decisions §4). Two ways in: `post` inside the transaction of another command, and
 * hold → settle / release for translations, which share commits between callers.
 */
@Injectable()
export class Ledger {
  constructor(
    private readonly em: EntityManager,
    private readonly writer: LedgerWriter,
  ) {}

  /** Creates the empty account of a new member, in the transaction of `em`. */
  open(em: EntityManager, account: { userId: number; familyId: number }): Promise<void> {
    return openAccount(em, account);
  }

  /**
   * Changes one account by `movement` and writes the entry, in the transaction of `em`. `cmdId` (UUID) is applied once: a repetition
   * with the same content returns the first entry. Throws QUOTA_NOT_ENOUGH if the free balance (balance − held) does not suffice,
   * NOT_FOUND without an account, LEDGER_READ_ONLY, IDEMPOTENCY_KEY_REUSED if `cmdId` was used for something else.
   */
  async post(em: EntityManager, userId: number, movement: Movement, command: { cmdId: string }): Promise<Entry> {
    const [entry] = await this.postAll(em, [{ userId, movement }], command);
    if (!entry) throw new Error('a posting left no entry');
    return entry;
  }

  /** The same for several accounts of one family, all or nothing, one movement each. Returns the entries in the given order. */
  postAll(em: EntityManager, postings: Posting[], command: { cmdId: string }): Promise<Entry[]> {
    return postMovements(em, postings, command);
  }

  /**
   * For changes that depend on the balances: locks the accounts of `which` (one family, ascending id), calls `rule` and writes its
   * postings, in the transaction of `em`. An account may move several times, each time under its own id; at least one posting uses the
   * command's. A repeated command writes nothing and returns the entries under its id.
   * Throws what the rule throws, QUOTA_NOT_ENOUGH, QUOTA_TOO_LARGE, LEDGER_READ_ONLY or NOT_FOUND.
   */
  move(em: EntityManager, which: Which, how: { rule: Rule; command: MoveCommand }): Promise<Entry[]> {
    return moveByRule(em, which, how);
  }

  /** The accounts and the database's clock (ms), without a lock, for previews. Ascending id. */
  view(em: EntityManager, which: Which): Promise<{ accounts: AccountView[]; now: number }> {
    return viewAccounts(em, which);
  }

  /**
   * Reserves the price of a translation for 90 s. Throws QUOTA_NOT_ENOUGH, PACKAGE_EXPIRED, CHANNEL_CHANGED, SERVICE_BUSY, NOT_FOUND, or
   * IDEMPOTENCY_KEY_REUSED if this id was used for another request or ended as a failure.
   */
  hold(command: Hold): Promise<Held> {
    return this.writer.hold(command);
  }

  /**
   * Charges a hold, or only the delivered part of a text; the rest is released. After the hold was released as stale, it charges the free
   * balance, or throws QUOTA_NOT_ENOUGH: then nothing was charged and the result must not be delivered. SERVICE_BUSY: the outcome is
   * unknown, settle the same id again.
   */
  settle(command: Settle): Promise<Settled> {
    return this.writer.settle(command);
  }

  /** Releases a hold; `usage` writes a failed line to the translation log, charged 0. Idempotent. */
  release(command: Release): Promise<Released> {
    return this.writer.release(command);
  }

  /** Writes a free line to the translation log: a gloss, a cached translation, or the failed part of a batch. */
  note(command: Note): Promise<void> {
    return this.writer.note(command);
  }

  /** The usable balance (balance − held) of a member; expiry and channel are the main account's. Throws NOT_FOUND. */
  async balanceOf(userId: number): Promise<Balance> {
    const balance = (await this.balancesOf([userId])).get(userId);
    if (!balance) throw new Refusal('NOT_FOUND');
    return balance;
  }

  /** The ordinals (usage_seq) of the member's lines in the translation log between two times, both included. `em`: where it is read. */
  linesBetween(
    userId: number,
    times: { from: Date | undefined; to: Date | undefined },
    em = this.em.fork(),
  ): Promise<Range> {
    return ordinalRange(em, userId, { numbering: { of: 'lines' }, ...times });
  }

  /** The lines in a range that came from an address or client, newest first, at most FILTERED_ROWS_MAX. */
  linesFrom(userId: number, among: FromWhere & Range, em = this.em.fork()): Promise<number[]> {
    return matchingLines(em, userId, among);
  }

  /** The balances of many members; those without an account are absent. */
  balancesOf(userIds: number[]): Promise<Map<number, Balance>> {
    return readBalances(this.em.fork(), userIds);
  }

  /**
   * A fingerprint of each account that changes when the account does, for a main account also when one of its sub-accounts does. A
   * watcher polls it, so that writers need not notify anyone; members see it as the version of their account.
   */
  fingerprintsOf(userIds: number[]): Promise<Map<number, string>> {
    return readFingerprints(this.em.fork(), userIds);
  }
}
