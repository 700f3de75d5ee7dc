import { convertFamily } from '../src/members/convert-family.js';
import { moveAccount } from '../src/ledger/rows/move-account.js';
import type { LockedAccount } from '../src/ledger/rows/account-rows.js';
import { FIRST_HEAD } from '../src/ledger/rows/chain.js';
import { commandIdOf } from '../src/platform/command-id.js';
import { CHANNELS, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import { purchased, type Tariff } from '@yiqiao/domain/conversion';
import { emptyAccount, type Entry, type Movement } from '@yiqiao/domain/ledger';
import { DAY_MS, PACKAGE_DAYS } from '@yiqiao/domain/limits';
import { distribution } from '@yiqiao/domain/movements';

import { random } from './random.js';

/** The member with a tenth of all entries. */
export const LARGEST_MEMBER = 1;
export const FAMILY_SIZE = 5;
const BIG = 10;
export const YEAR_DAYS = 365;
/** Main accounts buy again below this. */
const LOW_CHARS = 15_000;
const SHARED = { charNum: 10_000, voiceNum: 20, imageNum: 20 };
/** About the usage between two adjustments, so that no balance runs out. */
const ADJUSTED = { charChange: 100, voiceChange: 200, imageChange: 60 };
/** The channels of a family, in turn. */
const ROUND_TRIP: readonly number[] = [CHANNELS.offline.id, CHANNELS.google.id, CHANNELS.deepl.id];

/** A row of the price list. */
export type Plan = {
  id: number;
  num: number;
  voiceNum: number;
  imageNum: number;
  salePrice: number;
  referenceChannelId: number;
};
/** The prices of a history. `prices`: micro-yuan per character, by channel. */
export type PriceList = { prices: ReadonlyMap<number, number>; trial: Plan; package: Plan };

/** As the product's writer changes it. */
export type Account = LockedAccount;

/** A line of the translation log; `entry`: null without a charge. */
export type Line = {
  account: Account;
  usageSeq: number;
  cmdId: string;
  at: number;
  words: number;
  channelId: number;
  entry: Entry | null;
};
/** A paid order; times in ms, the amount in fen. */
type Order = {
  id: number;
  no: string;
  account: Account;
  amount: number;
  createdAt: number;
  paidAt: number;
  groupBefore: number;
};
export type HistoryRow =
  | { kind: 'entry'; entry: Entry; hash: string }
  | { kind: 'line'; line: Line }
  | { kind: 'gift'; account: Account; at: number; quota: { num: number; voiceNum: number; imageNum: number } }
  | { kind: 'order'; order: Order }
  | { kind: 'adjustment'; cmdId: string; account: Account; at: number };

/**
 * Generates `rows` entries over `days` in order of time, as the product would have written them, with the rows that confirm them: families of
 * five, one member with a tenth of all entries, ten with a hundredth each, the rest evenly spread; nine in ten entries are translations.
 */
export class History {
  readonly accounts: Account[];
  readonly #next = random(7);
  readonly #begin: number;
  #entries = 0;
  #commands = 0;
  #orders = 0;
  #written: HistoryRow[] = [];

  constructor(
    readonly rows: number,
    private readonly list: PriceList,
    private readonly days = YEAR_DAYS,
    entriesEach = 1_000,
  ) {
    this.#begin = Date.now() - days * DAY_MS;
    const count = Math.max(20, Math.ceil(rows / entriesEach / FAMILY_SIZE)) * FAMILY_SIZE;
    this.accounts = Array.from({ length: count }, (_, i) => ({
      userId: i + 1,
      familyId: i - (i % FAMILY_SIZE) + 1,
      state: emptyAccount(),
      held: { charNum: 0, voiceNum: 0, imageNum: 0 },
      typeSeqs: [],
      usageSeq: 0,
      head: FIRST_HEAD,
      lastAt: 0,
      readOnly: false,
    }));
  }

  /** The plan of the family at the end. */
  planOf({ familyId }: Account): number {
    return this.#account(familyId - 1).state.rechargeAmountTotal > 0 ? this.list.package.id : this.list.trial.id;
  }

  /** The rows of the next commands; empty at the end. The array is reused. */
  next(): HistoryRow[] {
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

  #familyOf({ familyId }: Account): Account[] {
    return this.accounts.slice(familyId - 1, familyId - 1 + FAMILY_SIZE);
  }

  #act(account: Account): void {
    const main = this.#mainOf(account);
    if (main.state.seq === 0) this.#register(main);
    if (main.state.charNum < LOW_CHARS || (main.state.expireAt ?? 0) <= this.#now()) this.#buy(main);
    if (account !== main && this.#isLow(account)) this.#share(main, account);
    const { imageNum, voiceNum, charNum } = account.state;
    const r = this.#next();
    if (r < 0.0005) this.#adjust(account);
    else if (r < 0.0006) this.#convert(main);
    else if (r < 0.02) this.#fail(account);
    else if (r < 0.05 && imageNum > 0) this.#translate(account, { type: 'OTHER', imageChange: -1 }, 0);
    else if (r < 0.1 && voiceNum > 1) this.#translate(account, { type: 'VOICE_CONSUME', voiceChange: -2 }, 0);
    else {
      const n = 1 + Math.floor(this.#next() * 300);
      if (charNum >= n) this.#translate(account, { type: 'TRANSLATION_CONSUME', charChange: -n }, n);
    }
  }

  #isLow({ state }: Account): boolean {
    return state.charNum < 300 || state.voiceNum < 2 || state.imageNum < 1;
  }

  #register(main: Account): void {
    const { trial } = this.list;
    this.#written.push({ kind: 'gift', account: main, at: this.#now(), quota: trial });
    const movement: Movement = {
      type: 'OTHER',
      charChange: trial.num,
      voiceChange: trial.voiceNum,
      imageChange: trial.imageNum,
      expireAt: this.#now() + PACKAGE_DAYS * DAY_MS,
      tranChannelId: CHANNELS[DEFAULT_CHANNEL].id,
      refs: { memberGroupId: trial.id },
    };
    this.#post(main, movement, commandIdOf(`trial:${main.userId}`));
  }

  #buy(main: Account): void {
    const now = this.#now();
    const { id: memberGroupId, salePrice, num, voiceNum, imageNum, referenceChannelId } = this.list.package;
    const id = ++this.#orders;
    const no = `YQ${new Date(now).toISOString().slice(0, 19).replaceAll(/\D/g, '')}${String(id).padStart(8, '0')}`;
    const groupBefore = this.planOf(main);
    const order: Order = { id, no, account: main, amount: salePrice, createdAt: now, paidAt: now, groupBefore };
    const { charPrice: referencePrice } = this.#tariff(referenceChannelId);
    const purchase = {
      memberGroupId,
      billingMode: 'char',
      num,
      referencePrice,
      voiceNum,
      imageNum,
      quantity: 1,
    } as const;
    const { charPrice } = this.#tariff(this.#channelOf(main));
    const movement: Movement = {
      type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
      ...purchased(purchase, { expireAt: main.state.expireAt, charPrice }, now),
      amount: salePrice,
      refs: {
        orderId: id,
        memberGroupId,
        rechargeTranChannelId: this.#channelOf(main),
        rechargeBillingMode: 'char',
      },
    };
    this.#written.push({ kind: 'order', order });
    this.#post(main, movement, commandIdOf(`order:${no}`));
  }

  #share(main: Account, child: Account): void {
    const quota = {
      charNum: SHARED.charNum,
      voiceNum: Math.min(SHARED.voiceNum, main.state.voiceNum),
      imageNum: Math.min(SHARED.imageNum, main.state.imageNum),
    };
    const cmdId = this.#cmd();
    const accounts = [main, child];
    distribution({ mainId: main.userId, childId: child.userId }, quota).forEach(({ movement }, side) =>
      this.#post(accounts[side] ?? main, movement, cmdId),
    );
  }

  #adjust(account: Account): void {
    const cmdId = this.#cmd();
    this.#post(account, { type: 'SYS_ADJUST', ...ADJUSTED, refs: { managerId: 1 } }, cmdId);
    this.#written.push({ kind: 'adjustment', cmdId, account, at: this.#now() });
  }

  /** Converts the whole family to another channel in one command. */
  #convert(main: Account): void {
    const cmdId = this.#cmd();
    const now = this.#channelOf(main);
    const from = this.#tariff(now);
    const to = this.#tariff(ROUND_TRIP[(ROUND_TRIP.indexOf(now) + 1) % ROUND_TRIP.length] ?? now);
    const family = this.#familyOf(main);
    for (const { userId, movement } of convertFamily(family, { type: 'MATRIX', from, to }, this.#now()))
      this.#post(this.#account(userId - 1), movement, cmdId);
  }

  #channelOf(account: Account): number {
    return this.#mainOf(account).state.tranChannelId ?? CHANNELS[DEFAULT_CHANNEL].id;
  }

  #tariff(tranChannelId: number): Tariff {
    const charPrice = this.list.prices.get(tranChannelId);
    if (charPrice === undefined) throw new RangeError(`channel ${tranChannelId} has no price`);
    return { billingMode: 'char', tranChannelId, charPrice, minutePrice: 1, referencePrice: charPrice };
  }

  #translate(account: Account, movement: Movement, words: number): void {
    const channelId = this.#channelOf(account);
    const refs = { consumeTranChannelId: channelId };
    const entry = this.#post(account, { ...movement, usedCharNum: words, refs }, this.#cmd());
    this.#line(account, { cmdId: entry.cmdId, at: entry.createdAt, words, channelId, entry });
  }

  #fail(account: Account): void {
    account.lastAt = Math.max(account.lastAt, this.#now());
    const line = { cmdId: this.#cmd(), at: account.lastAt, words: 12, channelId: this.#channelOf(account) };
    this.#line(account, { ...line, entry: null });
  }

  #line(account: Account, line: Omit<Line, 'account' | 'usageSeq'>): void {
    this.#written.push({ kind: 'line', line: { account, usageSeq: ++account.usageSeq, ...line } });
  }

  #post(account: Account, movement: Movement, cmdId: string): Entry {
    const { entry, hash } = moveAccount(account, movement, { cmdId, now: this.#now() });
    this.#entries++;
    this.#written.push({ kind: 'entry', entry, hash });
    return entry;
  }

  /** Proportional to the number of entries. */
  #now(): number {
    return this.#begin + Math.floor((this.#entries / this.rows) * this.days * DAY_MS);
  }

  /** Like the product's ids, time first. */
  #cmd(): string {
    const time = this.#now().toString(16).padStart(12, '0');
    const number = (++this.#commands).toString(16).padStart(15, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${number.slice(0, 3)}-8${number.slice(3, 6)}-${number.slice(3)}`;
  }
}
