import { billingModeCode, ENTRY_TYPES, type Entry, type Quota } from '@yiqiao/domain/ledger';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import type { BillingMode } from '@yiqiao/domain/plans';
import type { LockedAccount } from './account-rows.js';
import * as sql from './batch-sql.js';
import { Ints, parameters, Texts } from './columns.js';
import type { Usage } from './commands.js';

/** A reservation that stands in the database. `codePoints` is what a text asked for, charged or not. */
export type StoredHold = {
  id: string;
  userId: number;
  kind: number;
  quota: Quota;
  codePoints: number;
  billingMode: BillingMode;
  released: boolean;
};

/** A line of the translation log without a charge. */
export type FreeLine = { id: string; status: number; codePoints: number; billingMode: BillingMode; usage: Usage };

export const LINE_OK = 1;
export const LINE_FAILED = 2;

/** Columns of one group, side by side in one piece of memory. */
function ints<N extends string>(size: number, names: readonly N[]): Record<N, Ints> {
  const bytes = Ints.bytesFor(size);
  const memory = Buffer.allocUnsafe(bytes * names.length);
  const columns = names.map((name, at) => [name, new Ints(memory.subarray(at * bytes, (at + 1) * bytes))]);
  return Object.fromEntries(columns) as Record<N, Ints>;
}
const texts = <N extends string>(names: readonly N[]): Record<N, Texts> =>
  Object.fromEntries(names.map((name) => [name, new Texts()])) as Record<N, Texts>;

/** Statement and parameters. */
export type Statement = { name: string; text: string; values: (Buffer | string)[] };

/** Gathers what a batch writes, column by column, and turns it into one statement per table. */
export class Writes {
  readonly #charges;
  readonly #holds;
  readonly #lines;
  readonly #released = new Texts();
  readonly #dropped = new Texts();
  readonly #counts = { charges: 0, holds: 0, lines: 0, released: 0, dropped: 0 };
  readonly #charged = new Set<LockedAccount>();
  readonly #touched = new Set<LockedAccount>();

  /** At most so many rows of each kind. */
  constructor(most: { charges: number; holds: number; lines: number }) {
    let size = most.charges;
    this.#charges = {
      ...ints(size, ['user', 'family', 'seq', 'type', 'typeSeq', 'at', 'char', 'voice', 'image', 'used', 'lastChar']),
      ...ints(size, ['lastVoice', 'lastImage', 'expireAt', 'channel', 'mode', 'config', 'usedChannel', 'usageSeq']),
      ...ints(size, ['holdMode', 'clientType']),
      ...texts(['id', 'hash', 'ip', 'source', 'target']),
    };
    size = most.holds;
    this.#holds = {
      ...ints(size, ['user', 'family', 'kind', 'char', 'voice', 'image', 'used', 'mode', 'at', 'until']),
      ...texts(['id']),
    };
    size = most.lines;
    this.#lines = {
      ...ints(size, ['user', 'family', 'usageSeq', 'at', 'status', 'words', 'mode', 'channel', 'clientType']),
      ...texts(['id', 'ip', 'source', 'target']),
    };
  }

  hold(account: LockedAccount, hold: StoredHold, time: { at: number; until: number }): void {
    const c = this.#holds;
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
    this.#counts.holds++;
    this.#touched.add(account);
  }

  /** An entry of the hot path: it changes balances alone, so what is before it follows from what is after it. */
  charge(account: LockedAccount, entry: Entry, line: { hash: string; hold: StoredHold; usage: Usage }): void {
    const c = this.#charges;
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
    c.id.push(entry.cmdId);
    c.hash.push(line.hash);
    c.ip.push(line.usage.ip);
    c.source.push(line.usage.source);
    c.target.push(line.usage.target);
    this.#counts.charges++;
    this.#charged.add(account);
  }

  freeLine(account: LockedAccount, line: FreeLine, at: number): void {
    const c = this.#lines;
    c.user.push(account.userId);
    c.family.push(account.familyId);
    c.usageSeq.push(account.usageSeq);
    c.at.push(at);
    c.status.push(line.status);
    c.words.push(line.codePoints);
    c.mode.push(billingModeCode(line.billingMode));
    c.channel.push(line.usage.tranChannelId);
    c.clientType.push(CLIENT_TYPES[line.usage.clientType].code);
    c.id.push(line.id);
    c.ip.push(line.usage.ip);
    c.source.push(line.usage.source);
    c.target.push(line.usage.target);
    this.#counts.lines++;
    this.#touched.add(account);
  }

  release(account: LockedAccount, id: string): void {
    this.#released.push(id);
    this.#counts.released++;
    this.#touched.add(account);
  }

  /** A charged hold's row goes; a released one's makes room for a new hold of the same id. */
  drop(id: string): void {
    this.#dropped.push(id);
    this.#counts.dropped++;
  }

  /** What to send, in this order, in one transaction. */
  statements(): Statement[] {
    const list: Statement[] = [];
    const add = (wanted: boolean | number, name: string, text: string, values: () => (Buffer | string)[]): void => {
      if (wanted) list.push({ name, text, values: values() });
    };
    const held = [...this.#touched].filter((account) => !this.#charged.has(account));
    const { charges, holds, lines, released, dropped } = this.#counts;
    add(this.#charged.size, 'accounts', sql.UPDATE_ACCOUNTS, () => accountColumns([...this.#charged]));
    add(held.length, 'held', sql.UPDATE_HELD, () => heldColumns(held));
    add(charges, 'charges', sql.INSERT_CHARGES, () => parameters(this.#charges));
    add(dropped, 'dropped', sql.DROP_HOLDS, () => [this.#dropped.parameter]);
    add(holds, 'holds', sql.INSERT_HOLDS, () => parameters(this.#holds));
    add(released, 'released', sql.RELEASE_HOLDS, () => [this.#released.parameter]);
    add(lines, 'lines', sql.INSERT_FREE_LINES, () => parameters(this.#lines));
    return list;
  }
}

const typeAt = (account: LockedAccount, type: keyof typeof ENTRY_TYPES): number =>
  account.typeSeqs[ENTRY_TYPES[type].code - 1] ?? 0;

function accountColumns(accounts: LockedAccount[]): (Buffer | string)[] {
  const c = {
    ...ints(accounts.length, ['id', 'char', 'voice', 'image', 'heldChar', 'heldVoice', 'heldImage', 'used', 'seq']),
    ...ints(accounts.length, ['usageSeq', 'texts', 'voices', 'others', 'at']),
    ...texts(['head']),
  };
  for (const account of accounts) {
    c.id.push(account.userId);
    c.char.push(account.state.charNum);
    c.voice.push(account.state.voiceNum);
    c.image.push(account.state.imageNum);
    c.heldChar.push(account.held.charNum);
    c.heldVoice.push(account.held.voiceNum);
    c.heldImage.push(account.held.imageNum);
    c.used.push(account.state.usedCharTotal);
    c.seq.push(account.state.seq);
    c.usageSeq.push(account.usageSeq);
    c.texts.push(typeAt(account, 'TRANSLATION_CONSUME'));
    c.voices.push(typeAt(account, 'VOICE_CONSUME'));
    c.others.push(typeAt(account, 'OTHER'));
    c.at.push(account.lastAt);
    c.head.push(account.head);
  }
  return parameters(c);
}

function heldColumns(accounts: LockedAccount[]): (Buffer | string)[] {
  const c = ints(accounts.length, ['id', 'char', 'voice', 'image', 'usageSeq', 'at']);
  for (const account of accounts) {
    c.id.push(account.userId);
    c.char.push(account.held.charNum);
    c.voice.push(account.held.voiceNum);
    c.image.push(account.held.imageNum);
    c.usageSeq.push(account.usageSeq);
    c.at.push(account.lastAt);
  }
  return parameters(c);
}
