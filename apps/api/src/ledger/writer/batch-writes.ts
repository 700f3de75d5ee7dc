import { billingModeCode, ENTRY_TYPES, type Entry, type Quota } from '@yiqiao/domain/ledger';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import type { BillingMode } from '@yiqiao/domain/plans';
import type { LockedAccount } from '../rows/account-rows.js';
import { accountColumns, chargeColumns, heldColumns, holdColumns, lineColumns } from './batch-columns.js';
import * as sql from './batch-sql.js';
import { type Parameter, TextArray } from '../rows/array-parameters.js';
import { CapUse } from './caps.js';
import { KeyUse } from './key-caps.js';
import type { Usage } from './commands.js';
import type { ChainedEntry } from '../rows/entry-rows.js';
import { changedRows } from './changed-rows.js';
import type { Statement } from './prepared-statements.js';

/** A hold as stored. `codePoints`: of the whole text, whether charged or not. */
export type StoredHold = {
  id: string;
  userId: number;
  kind: number;
  quota: Quota;
  codePoints: number;
  billingMode: BillingMode;
  released: boolean;
  apiKeyId: number | null;
};

/** A line of the translation log without a charge: of a `kind` as in {@link StoredHold}, `free` as in {@link FREE}. */
export type FreeLine = {
  id: string;
  kind: number;
  status: number;
  free: number | null;
  codePoints: number;
  billingMode: BillingMode;
  usage: Usage;
};

/** The values of translation_log.free. */
export const FREE = { memory: 1, gloss: 2 } as const;

export const LINE_OK = 1;
export const LINE_FAILED = 2;

/** Collects the rows that a batch writes, column by column, and makes one statement per table of them. */
export class BatchWrites {
  #charges: ReturnType<typeof chargeColumns> | undefined;
  #holds: ReturnType<typeof holdColumns> | undefined;
  #lines: ReturnType<typeof lineColumns> | undefined;
  readonly #released = new TextArray();
  readonly #dropped = new TextArray();
  readonly #counts = { charges: 0, holds: 0, lines: 0, released: 0, dropped: 0 };
  readonly #charged = new Set<LockedAccount>();
  readonly #touched = new Set<LockedAccount>();
  readonly #distributed: ChainedEntry[] = [];
  readonly #distributing = new Set<LockedAccount>();
  /** New holds, and the ids of holds that are no longer open. */
  readonly made: StoredHold[] = [];
  readonly ended: string[] = [];
  readonly capUse = new CapUse();
  readonly keyUse = new KeyUse();

  /** `sizes`: the maximum number of rows of each kind. */
  constructor(private readonly sizes: { charges: number; holds: number; lines: number }) {}

  hold(account: LockedAccount, hold: StoredHold, time: { at: number; until: number }): void {
    const c = (this.#holds ??= holdColumns(this.sizes.holds));
    c.id.push(hold.id);
    c.user.push(account.userId);
    c.family.push(account.familyId);
    c.kind.push(hold.kind);
    c.char.push(hold.quota.charNum);
    c.voice.push(hold.quota.voiceNum);
    c.image.push(hold.quota.imageNum);
    c.used.push(hold.codePoints);
    c.mode.push(billingModeCode(hold.billingMode));
    c.at.push(time.at);
    c.until.push(time.until);
    c.apiKey.push(hold.apiKeyId);
    this.#counts.holds++;
    this.#touched.add(account);
    this.made.push(hold);
  }

  /** The entry of a charge. It changes balances only, so the balances before follow from the balances after. */
  charge(account: LockedAccount, entry: Entry, line: { hash: string; hold: StoredHold; usage: Usage }): void {
    const c = (this.#charges ??= chargeColumns(this.sizes.charges));
    c.user.push(entry.userId);
    c.family.push(entry.familyId);
    c.seq.push(entry.seq);
    c.type.push(ENTRY_TYPES[entry.type].code);
    c.typeSeq.push(entry.typeSeq);
    c.at.push(entry.createdAt);
    c.char.push(entry.charChange);
    c.voice.push(entry.voiceChange);
    c.image.push(entry.imageChange);
    c.used.push(entry.usedCharNum);
    c.lastChar.push(entry.lastCharNum);
    c.lastVoice.push(entry.lastVoiceNum);
    c.lastImage.push(entry.lastImageNum);
    c.expireAt.push(entry.lastExpireAt);
    c.channel.push(entry.lastTranChannelId);
    c.mode.push(billingModeCode(entry.lastBillingMode));
    c.config.push(entry.consumeConfigId);
    c.usedChannel.push(entry.consumeTranChannelId);
    c.usageSeq.push(account.usageSeq);
    c.holdMode.push(billingModeCode(line.hold.billingMode));
    c.clientType.push(CLIENT_TYPES[line.usage.clientType].code);
    c.vendorAccount.push(line.usage.vendor?.accountId ?? null);
    c.vendorCost.push(line.usage.vendor?.cost ?? null);
    c.apiKey.push(entry.apiKeyId);
    c.id.push(entry.cmdId);
    c.hash.push(line.hash);
    c.ip.push(line.usage.ip);
    c.source.push(line.usage.source);
    c.target.push(line.usage.target);
    this.#counts.charges++;
    this.#charged.add(account);
    if (entry.apiKeyId !== null) this.keyUse.add(entry.apiKeyId, -entry.charChange, entry.createdAt);
  }

  freeLine(account: LockedAccount, line: FreeLine, at: number): void {
    const c = (this.#lines ??= lineColumns(this.sizes.lines));
    c.user.push(account.userId);
    c.family.push(account.familyId);
    c.usageSeq.push(account.usageSeq);
    c.at.push(at);
    c.kind.push(line.kind);
    c.status.push(line.status);
    c.free.push(line.free);
    c.words.push(line.codePoints);
    c.mode.push(billingModeCode(line.billingMode));
    c.channel.push(line.usage.tranChannelId);
    c.clientType.push(CLIENT_TYPES[line.usage.clientType].code);
    c.apiKey.push(line.usage.apiKeyId ?? null);
    c.id.push(line.id);
    c.ip.push(line.usage.ip);
    c.source.push(line.usage.source);
    c.target.push(line.usage.target);
    this.#counts.lines++;
    this.#touched.add(account);
    const { apiKeyId = null } = line.usage;
    if (apiKeyId !== null && line.status === LINE_OK) this.keyUse.add(apiKeyId, 0, at);
  }

  release(account: LockedAccount, id: string): void {
    this.#released.push(id);
    this.#counts.released++;
    this.#touched.add(account);
    this.ended.push(id);
  }

  /** Both entries of an auto-distribution. */
  distribute(entries: readonly ChainedEntry[], accounts: readonly LockedAccount[]): void {
    this.#distributed.push(...entries);
    for (const account of accounts) this.#distributing.add(account);
  }

  /** The accounts whose rows are written. */
  get changed(): Set<LockedAccount> {
    return new Set([...this.#charged, ...this.#touched, ...this.#distributing]);
  }

  /** Deletes a hold that was charged, or that is made again under the same id. */
  drop(id: string): void {
    this.#dropped.push(id);
    this.#counts.dropped++;
    this.ended.push(id);
  }

  /** In the order in which they run, in one transaction. */
  statements(): Statement[] {
    const list: Statement[] = [];
    const add = (rows: number, name: string, text: string, parameters: () => readonly Parameter[]): void => {
      if (rows > 0) list.push({ name, text, parameters: parameters(), rows });
    };
    // Each row is written once: all columns after an auto-distribution, else only those that a charge or a hold changes.
    const charged = [...this.#charged].filter((account) => !this.#distributing.has(account));
    const held = [...this.#touched].filter(
      (account) => !this.#charged.has(account) && !this.#distributing.has(account),
    );
    const { charges, holds, lines, released, dropped } = this.#counts;
    list.push(...changedRows(this.#distributed, [...this.#distributing]));
    add(charged.length, 'accounts', sql.UPDATE_ACCOUNTS, () => accountColumns(charged));
    add(held.length, 'held', sql.UPDATE_HELD, () => heldColumns(held));
    list.push(...this.capUse.statements(), ...this.keyUse.statements());
    if (this.#charges)
      list.push({
        name: 'charges',
        text: sql.CHARGE_LINES,
        ctes: { charged: sql.CHARGES, entered: sql.CHARGE_ENTRIES },
        parameters: Object.values(this.#charges),
        rows: charges,
      });
    add(dropped, 'dropped', sql.DROP_HOLDS, () => [this.#dropped]);
    add(holds, 'holds', sql.INSERT_HOLDS, () => Object.values(this.#holds ?? {}));
    add(released, 'released', sql.RELEASE_HOLDS, () => [this.#released]);
    add(lines, 'lines', sql.INSERT_FREE_LINES, () => Object.values(this.#lines ?? {}));
    return list;
  }
}
