import {
  billingModeCode,
  emptyAccount,
  ENTRY_TYPES,
  post,
  type AccountState,
  type Entry,
  type EntryRefs,
  type Movement,
} from '@yiqiao/domain/ledger';
import { distribution } from '@yiqiao/domain/movements';
import { chain, FIRST_HEAD } from '../src/ledger/rows/chain.js';

/** The member with a tenth of all entries. */
export const WHALE = 1;
export const FAMILY_SIZE = 5;
const BIG = 10;
const CHANNELS = 2;
const YEAR_MS = 365 * 86_400_000;

export type Account = {
  userId: number;
  familyId: number;
  state: AccountState;
  typeSeqs: number[];
  usageSeq: number;
  head: string;
};

/** A line of the translation log; `seq`: its entry's, null when nothing was charged. */
export type Line = {
  account: Account;
  usageSeq: number;
  cmdId: string;
  at: number;
  seq: number | null;
  charged: number;
  words: number;
};
export type Adjustment = { cmdId: string; account: Account; at: number };
export type Written =
  | { kind: 'entry'; entry: Entry; hash: string }
  | { kind: 'line'; line: Line }
  | { kind: 'adjustment'; adjustment: Adjustment };

/** Numbers that are the same in every run. */
export function random(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * A year of a product with `rows` entries, in order of time, chained as the writer chains them: families of five, a member with a
 * tenth of everything, ten with a hundredth each, the rest spread evenly; nine in ten entries are translations.
 */
export class History {
  readonly accounts: Account[];
  readonly #next = random(7);
  readonly #begin = Date.now() - YEAR_MS;
  #entries = 0;
  #commands = 0;
  #written: Written[] = [];

  constructor(readonly rows: number) {
    const count = Math.max(20, Math.ceil(rows / 1_000 / FAMILY_SIZE)) * FAMILY_SIZE;
    this.accounts = Array.from({ length: count }, (_, i) => ({
      userId: i + 1,
      familyId: i - (i % FAMILY_SIZE) + 1,
      state: emptyAccount(),
      typeSeqs: Object.keys(ENTRY_TYPES).map(() => 0),
      usageSeq: 0,
      head: FIRST_HEAD,
    }));
  }

  /** What the next commands write; empty at the end. The array is used again. */
  next(): Written[] {
    this.#written.length = 0;
    while (this.#written.length < 64 && this.#entries < this.rows) this.#act(this.#pick());
    return this.#written;
  }

  #pick(): Account {
    const r = this.#next();
    const at =
      r < 0.1
        ? 0
        : r < 0.2
          ? FAMILY_SIZE * (1 + Math.floor(this.#next() * BIG))
          : Math.floor(this.#next() * this.accounts.length);
    return this.#account(at % this.accounts.length);
  }

  #account(at: number): Account {
    const account = this.accounts[at];
    if (!account) throw new RangeError(`no account ${at}`);
    return account;
  }

  #mainOf(account: Account): Account {
    return this.#account(account.familyId - 1);
  }

  #act(account: Account): void {
    const main = this.#mainOf(account);
    if (main.state.seq === 0) this.#give(main, { type: 'OTHER', charChange: 5_000, voiceChange: 20, imageChange: 20 });
    if (main.state.charNum < 50_000) this.#recharge(main);
    if (account !== main && this.#isLow(account)) this.#share(main, account);
    const r = this.#next();
    if (r < 0.0005) this.#adjust(account);
    else if (r < 0.0006) this.#convert(main);
    else if (r < 0.02) this.#fail(account);
    else if (r < 0.05 && account.state.imageNum > 0) this.#translate(account, { type: 'OTHER', imageChange: -1 }, 0);
    else if (r < 0.1 && account.state.voiceNum > 1)
      this.#translate(account, { type: 'VOICE_CONSUME', voiceChange: -2 }, 0);
    else {
      const n = 1 + Math.floor(this.#next() * 300);
      if (account.state.charNum >= n) this.#translate(account, { type: 'TRANSLATION_CONSUME', charChange: -n }, n);
    }
  }

  #isLow({ state }: Account): boolean {
    return state.charNum < 300 || state.voiceNum < 2 || state.imageNum < 1;
  }

  #give(account: Account, movement: Movement): void {
    const expireAt = this.#now() + 2 * YEAR_MS;
    this.#post(account, { ...movement, expireAt, tranChannelId: account.state.tranChannelId ?? 1 }, this.#cmd());
  }

  #recharge(main: Account): void {
    const gifts = { charChange: 5_000_000, voiceChange: 5_000, imageChange: 5_000, amount: 8_800 };
    this.#give(main, {
      type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
      ...gifts,
      refs: { memberGroupId: 1, orderId: this.#entries + 1 },
    });
  }

  #share(main: Account, child: Account): void {
    const quota = {
      charNum: 10_000,
      voiceNum: Math.min(20, main.state.voiceNum),
      imageNum: Math.min(20, main.state.imageNum),
    };
    const cmdId = this.#cmd();
    const accounts = [main, child];
    distribution({ mainId: main.userId, childId: child.userId }, quota).forEach(({ movement }, side) =>
      this.#post(accounts[side] ?? main, movement, cmdId),
    );
  }

  #adjust(account: Account): void {
    const cmdId = this.#cmd();
    this.#post(account, { type: 'SYS_ADJUST', charChange: 100, refs: { managerId: 1 } }, cmdId);
    this.#written.push({ kind: 'adjustment', adjustment: { cmdId, account, at: this.#now() } });
  }

  /** Another channel at the same price: the whole family under one command. */
  #convert(main: Account): void {
    const cmdId = this.#cmd();
    const tranChannelId = 1 + ((main.state.tranChannelId ?? 1) % CHANNELS);
    for (let at = main.userId - 1; at < main.userId - 1 + FAMILY_SIZE; at++)
      this.#post(this.#account(at), { type: 'MATRIX', tranChannelId }, cmdId);
  }

  #translate(account: Account, movement: Movement, words: number): void {
    const refs: Partial<EntryRefs> = { consumeTranChannelId: account.state.tranChannelId ?? 1 };
    const entry = this.#post(account, { ...movement, usedCharNum: words, refs }, this.#cmd());
    const { cmdId, createdAt: at, seq } = entry;
    const charged = 0 - entry.charChange - entry.voiceChange - entry.imageChange;
    const usageSeq = ++account.usageSeq;
    this.#written.push({ kind: 'line', line: { account, usageSeq, cmdId, at, seq, charged, words } });
  }

  #fail(account: Account): void {
    const usageSeq = ++account.usageSeq;
    const line = { account, usageSeq, cmdId: this.#cmd(), at: this.#now(), seq: null, charged: 0, words: 12 };
    this.#written.push({ kind: 'line', line });
  }

  #post(account: Account, movement: Movement, cmdId: string): Entry {
    const code = ENTRY_TYPES[movement.type].code;
    const typeSeq = (account.typeSeqs[code - 1] ?? 0) + 1;
    const { userId, familyId, state } = account;
    const entry = post(state, movement, { userId, familyId, typeSeq, cmdId, createdAt: this.#now() });
    account.typeSeqs[code - 1] = typeSeq;
    account.head = chain(account.head, entry);
    this.#entries++;
    this.#written.push({ kind: 'entry', entry, hash: account.head });
    return entry;
  }

  /** Time goes on with the entries. */
  #now(): number {
    return this.#begin + Math.floor((this.#entries / this.rows) * YEAR_MS);
  }

  /** Like the product's own ids, time first. */
  #cmd(): string {
    const time = this.#now().toString(16).padStart(12, '0');
    const number = (++this.#commands).toString(16).padStart(15, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${number.slice(0, 3)}-8${number.slice(3, 6)}-${number.slice(3)}`;
  }
}

export const modeCode = (account: Account): number => billingModeCode(account.state.billingMode);
