import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry, Movement } from '@yiqiao/domain/ledger';
import { readAccountMarks } from './account-marks.js';
import { readBalances, type Balance } from './balances.js';
import type { Held, Hold, Note, Release, Released, Settle, Settled } from './writer/commands.js';
import { type FromWhere, matchingLines } from './log/matching-lines.js';
import { ordinalRange, type Range } from './log/ordinal-range.js';
import { openAccount, viewAccounts, type AccountView, type Which } from './movements/locked-accounts.js';
import { moveByRule, postMovements, type MoveCommand, type Rule } from './movements/post-movements.js';
import type { Posting } from './movements/posting.js';
import { LedgerWriter } from './writer/writer.js';

export type { Balance } from './balances.js';
export type { Held, Hold, Note, Release, Released, Settle, Settled, Usage } from './writer/commands.js';
export type { AccountView, Which } from './movements/locked-accounts.js';
export type { MoveCommand, Rule } from './movements/post-movements.js';
export type { Posting } from './movements/posting.js';
export { priceAtSql } from './rows/price-at.js';

/**
 * The gate to the ledger: nothing else writes a balance (decisions §4). Two ways in: `post` inside the transaction of another
 * command, and hold → settle / release for translations, which share commits between callers.
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
   * Changes one account by `movement` and writes the entry, in the transaction of `em`. `cmdId` (UUID) is applied once: again
   * with the same content it answers the first entry. Throws QUOTA_NOT_ENOUGH when what is free (balance − held) does not
   * suffice, NOT_FOUND without account, IDEMPOTENCY_KEY_REUSED when `cmdId` was used for something else.
   */
  async post(em: EntityManager, userId: number, movement: Movement, command: { cmdId: string }): Promise<Entry> {
    const [entry] = await this.postAll(em, [{ userId, movement }], command);
    if (!entry) throw new Error('a posting left no entry');
    return entry;
  }

  /** The same for several accounts of one family at once, all or nothing, one movement each; answers in the order given. */
  postAll(em: EntityManager, postings: Posting[], command: { cmdId: string }): Promise<Entry[]> {
    return postMovements(em, postings, command);
  }

  /**
   * Locks the accounts of `which` (one family, ascending id), lets `rule` look at them and writes what it says, in the transaction of
   * `em`: for changes that depend on the balances. An account may move several times, each under an id of its own; at least one
   * posting bears the command's. A command that was applied before writes nothing and answers what stands under its own id.
   * Throws what the rule throws, QUOTA_NOT_ENOUGH, QUOTA_TOO_LARGE or NOT_FOUND.
   */
  move(em: EntityManager, which: Which, how: { rule: Rule; command: MoveCommand }): Promise<Entry[]> {
    return moveByRule(em, which, how);
  }

  /** The accounts as they stand and the database's clock (ms), without a lock: what a preview is made of. Ascending id. */
  view(em: EntityManager, which: Which): Promise<{ accounts: AccountView[]; now: number }> {
    return viewAccounts(em, which);
  }

  /**
   * Reserves the price of a translation for 90 s. Throws QUOTA_NOT_ENOUGH, PACKAGE_EXPIRED, CHANNEL_CHANGED, SERVICE_BUSY, NOT_FOUND, or
   * IDEMPOTENCY_KEY_REUSED when this id stands for another ask or ended as a failure.
   */
  hold(command: Hold): Promise<Held> {
    return this.writer.hold(command);
  }

  /**
   * Charges a hold, or of a text only what was delivered of it: the rest is free again. Late, after the sweep gave the hold back, it charges anew if the balance still pays, else throws
   * QUOTA_NOT_ENOUGH: then nothing was charged and the result must not be delivered. SERVICE_BUSY: the outcome is unknown,
   * the same id may be settled again.
   */
  settle(command: Settle): Promise<Settled> {
    return this.writer.settle(command);
  }

  /** Gives a hold back; `usage` writes the failed line of the translation log, charged 0. Repeating it changes nothing. */
  release(command: Release): Promise<Released> {
    return this.writer.release(command);
  }

  /** A line of the translation log that costs nothing: a word gloss, or what failed of a batch. */
  note(command: Note): Promise<void> {
    return this.writer.note(command);
  }

  /** What a member may use now: balance − held; expiry and channel are the main account's. Throws NOT_FOUND. */
  async balanceOf(userId: number): Promise<Balance> {
    const balance = (await this.balancesOf([userId])).get(userId);
    if (!balance) throw new Refusal('NOT_FOUND');
    return balance;
  }

  /** The ordinals (usage_seq) of the member's lines in the translation log between two times, both included. */
  linesBetween(userId: number, times: { from: Date | undefined; to: Date | undefined }): Promise<Range> {
    return ordinalRange(this.em.fork(), userId, { numbering: { of: 'lines' }, ...times });
  }

  /** Of the lines in a range, the ones that came from an address or client, newest first and counted to a bound (FILTERED_ROWS_MAX). */
  linesFrom(userId: number, among: FromWhere & Range): Promise<number[]> {
    return matchingLines(this.em.fork(), userId, among);
  }

  /** The balances of many members; those without an account are absent. */
  balancesOf(userIds: number[]): Promise<Map<number, Balance>> {
    return readBalances(this.em.fork(), userIds);
  }

  /**
   * A mark for each of many members that changes when what they see of their account does, for a main account also when what one of
   * its sub-accounts has does: so that whoever watches need not be told by whoever writes.
   */
  marksOf(userIds: number[]): Promise<Map<number, string>> {
    return readAccountMarks(this.em.fork(), userIds);
  }
}
