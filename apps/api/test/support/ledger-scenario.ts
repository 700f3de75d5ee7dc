import { expect } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Tariff } from '@yiqiao/domain/conversion';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry, Movement, Quota } from '@yiqiao/domain/ledger';
import { distribution, recovery } from '@yiqiao/domain/movements';
import type { MoveCommand, Posting, Rule } from '../../src/ledger/ledger.js';
import { convertFamily } from '../../src/members/convert-family.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import { brokenInvariants } from './ledger-invariants.js';
import { Model, PRICES, type Asset, type Part, type Plan, type Reserved } from './ledger-model.js';
import type { LedgerPurchases } from './ledger-purchases.js';
import { claimGift, usage, WRITER_NAME, writeReason, type LedgerFixture } from './ledger-fixture.js';

/** How a command is sent: once, twice at the same time, again later, or again after a crash during it. */
export type Sent = 'once' | 'twice' | 'again' | 'crashed';
export type Step = { sent: Sent } & (
  | { do: 'reward' | 'channel' }
  /** One of PLANS, by an order or as an operator's gift. */
  | { do: 'buy'; plan: number; paid: boolean }
  | { do: 'adjust' | 'give'; who: number; asset: Asset; n: number }
  /** `price`: of the requested channel, in tenths of the account's own price. */
  | { do: 'hold'; who: number; asset: Asset; n: number; price: number }
  | { do: 'recover'; who: number }
  /** `tenths`: this much of a text was delivered. */
  | { do: 'settle' | 'release' | 'sweep' | 'late'; which: number; tenths: number }
);

const quota = (of: Asset, amount: number): Quota => ({
  charNum: of === 'char' ? amount : 0,
  voiceNum: of === 'voice' ? amount : 0,
  imageNum: of === 'image' ? amount : 0,
});
const changes = (of: Asset, amount: number): Partial<Movement> => {
  const { charNum, voiceNum, imageNum } = quota(of, amount);
  return { charChange: charNum, voiceChange: voiceNum, imageChange: imageNum };
};
/** Plans of both modes, with and without a channel. */
export const PLANS: readonly Plan[] = [
  { id: 11, timed: false, num: 5_000, voice: 3, image: 4, fen: 990, channel: null },
  { id: 12, timed: true, num: 400_000, voice: 1, image: 0, fen: 1_990, channel: null },
  { id: 13, timed: false, num: 7_001, voice: 0, image: 2, fen: 4_990, channel: 2 },
  { id: 14, timed: true, num: 300_001, voice: 0, image: 0, fen: 2_990, channel: 2 },
];

/** With the prices of the model; between channels only the price of a character counts. */
const tariff = (tranChannelId: number, timed: boolean): Tariff => {
  const charPrice = PRICES[tranChannelId] ?? 0;
  return { billingMode: timed ? 'time' : 'char', tranChannelId, charPrice, minutePrice: 1, referencePrice: charPrice };
};
/** The entries that a command left; none when it was applied before in another way. */
type Work = (em: EntityManager) => Promise<Entry[]>;

/** Null when it was refused. */
const entriesOf = (work: Promise<Entry[]>): Promise<Entry[] | null> =>
  work.catch((error: unknown) => {
    if (isRefusal(error)) return null;
    throw error;
  });
const granted = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (isRefusal(error)) return false;
      throw error;
    },
  );
const isRefusal = (error: unknown): boolean =>
  error instanceof Refusal && ['QUOTA_NOT_ENOUGH', 'CHANNEL_NOT_INCLUDED'].includes(error.code);
/** About this many tenths of a text; null for the whole, and for voice and images. */
const partOf = ({ asset, points, cost }: Reserved, tenths: number): Part | null => {
  if (asset !== 'char' || tenths >= 10) return null;
  const some = (n: number): number => Math.max(1, Math.floor((n * tenths) / 10));
  return { points: some(points), cost: some(cost) };
};
const crash = new Error('crash');

/** Sends a posting command; a crash aborts its transaction half way. Returns its entries; null if it was refused. */
const move = async (fixture: LedgerFixture, how: Sent, work: Work): Promise<Entry[] | null> => {
  const once = (fail?: Error): Promise<Entry[]> =>
    fixture.orm.em.fork().transactional(async (em) => {
      const entries = await work(em);
      if (fail) throw fail;
      return entries;
    });
  if (how === 'crashed')
    await once(crash).catch((error: unknown) => {
      if (error !== crash && !isRefusal(error)) throw error;
    });
  const outcomes =
    how === 'twice' ? await Promise.all([entriesOf(once()), entriesOf(once())]) : [await entriesOf(once())];
  if (how === 'again' && outcomes[0]) outcomes.push(await entriesOf(once()));
  expect(new Set(outcomes.map((outcome) => outcome === null)).size).toBe(1);
  return outcomes.find((outcome) => outcome && outcome.length > 0) ?? outcomes[0] ?? null;
};
/** Sends a command of the hot path; a crash closes the connection while it is in flight. */
const write = async (fixture: LedgerFixture, how: Sent, once: () => Promise<unknown>): Promise<boolean> => {
  if (how === 'twice') {
    const outcomes = await Promise.all([granted(once()), granted(once())]);
    expect(new Set(outcomes).size).toBe(1);
    return outcomes[0] ?? false;
  }
  const first = granted(once());
  if (how === 'crashed')
    await fixture.owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
      [WRITER_NAME],
    );
  const outcome = await first;
  if (how !== 'once' && outcome) expect(await granted(once())).toBe(true);
  return outcome;
};

/** Applies one family's steps to product and model at once. */
export class Scenario {
  readonly model: Model;
  constructor(
    private readonly fixture: LedgerFixture & { purchases: LedgerPurchases },
    readonly ids: number[],
    /** Of the main account, in ms. */
    expireAt: number,
  ) {
    this.model = new Model([20_000, 500, 500], expireAt);
  }

  get main(): number {
    return this.ids[0] ?? 0;
  }

  id(account: number): number {
    return this.ids[account] ?? 0;
  }

  #move(how: Sent, work: Work): Promise<Entry[] | null> {
    return move(this.fixture, how, work);
  }

  async #byRule(how: Sent, rule: Rule, command: MoveCommand): Promise<boolean> {
    const { ledger } = this.fixture;
    return (await this.#move(how, (em) => ledger.move(em, { familyId: this.main }, { rule, command }))) !== null;
  }

  async take(doing: Step): Promise<void> {
    const { model, main } = this;
    const { ledger } = this.fixture;
    switch (doing.do) {
      case 'buy':
        return this.#buy(doing);
      case 'reward': {
        model.reward();
        const quota = { charChange: 10_000 };
        const cmdId = uuid7();
        const claimed = (em: EntityManager): Promise<boolean> =>
          claimGift(em, { gift: 'invite', userId: main, ...quota });
        const entries = await this.#move(doing.sent, async (em) =>
          (await claimed(em)) ? [await ledger.post(em, main, { type: 'INVITE_REWARD', ...quota }, { cmdId })] : [],
        );
        expect(entries).not.toBeNull();
        return;
      }
      case 'adjust': {
        const by = doing.n % 3 === 0 ? doing.n : -doing.n;
        const possible = model.change(doing.who, doing.asset, by);
        const userId = this.id(doing.who);
        const cmdId = uuid7();
        const entries = await this.#move(doing.sent, async (em) => {
          const refs = { managerId: await writeReason(em, { cmdId, userId }) };
          return [await ledger.post(em, userId, { type: 'SYS_ADJUST', ...changes(doing.asset, by), refs }, { cmdId })];
        });
        expect(entries !== null).toBe(possible);
        return;
      }
      case 'give': {
        const child = 1 + (doing.who % 2);
        const by = doing.n % 3 === 0 ? -doing.n : doing.n;
        const possible = model.transfer(child, doing.asset, by);
        const pair = { mainId: main, childId: this.id(child) };
        const rule: Rule = () => [...distribution(pair, quota(doing.asset, by))];
        expect(await this.#byRule(doing.sent, rule, { cmdId: uuid7() })).toBe(possible);
        return;
      }
      case 'recover':
        return this.#recover(1 + (doing.who % 2), doing.sent);
      case 'channel':
        return this.#changeChannel(doing.sent);
      case 'hold':
        return this.#hold(doing);
      default:
        return this.#end(doing);
    }
  }

  async #recover(child: number, how: Sent): Promise<void> {
    this.model.recover(child);
    const childId = this.id(child);
    const rule: Rule = (accounts) =>
      accounts
        .filter((account) => account.userId === childId)
        .flatMap((account): Posting[] => [...recovery({ mainId: this.main, childId }, account.state)]);
    expect(await this.#byRule(how, rule, { cmdId: uuid7(), releaseHolds: [childId] })).toBe(true);
  }

  async #buy({ plan: which, paid, sent }: Extract<Step, { do: 'buy' }>): Promise<void> {
    const { fixture, main } = this;
    const plan = PLANS[which];
    if (!plan) throw new RangeError(`no plan ${which}`);
    const { purchases } = fixture;
    const cmdId = uuid7();
    const orderId = paid ? await purchases.order(main, plan.id) : null;
    const entries = await this.#move(sent, async (em) => {
      const entry =
        orderId === null
          ? await purchases.grant(em, { userId: main, planId: plan.id, cmdId })
          : await purchases.pay(em, orderId);
      return entry ? [entry] : [];
    });
    this.model.buy(plan, { at: createdAt(entries), paid });
  }

  async #changeChannel(how: Sent): Promise<void> {
    const { model, main } = this;
    const to = { channel: 3 - model.channel, timed: model.timed };
    const change = {
      type: 'MATRIX',
      from: tariff(model.channel, model.timed),
      to: tariff(to.channel, to.timed),
    } as const;
    const command = { cmdId: uuid7() };
    const rule: Rule = (accounts, now) => convertFamily(accounts, change, now);
    const entries = await this.#move(how, (em) => this.fixture.ledger.move(em, { familyId: main }, { rule, command }));
    model.convert(to, createdAt(entries));
  }

  async #hold(doing: Extract<Step, { do: 'hold' }>): Promise<void> {
    const { model, main } = this;
    const amount = doing.asset === 'image' ? 1 : doing.asset === 'voice' ? 1 + (doing.n % 5) : doing.n;
    const id = uuid7();
    const isText = doing.asset === 'char';
    const n = isText ? Math.ceil((amount * doing.price) / 10) : amount;
    const possible = model.hold(id, doing.who, { asset: doing.asset, n, points: isText ? amount : 0 });
    const ask =
      doing.asset === 'char'
        ? ({ kind: 'text', codePoints: amount, ...(n !== amount && { charNum: n }) } as const)
        : doing.asset === 'voice'
          ? ({ kind: 'voice', minutes: amount } as const)
          : ({ kind: 'image' } as const);
    const command = { id, userId: this.id(doing.who), familyId: main, ask };
    expect(await write(this.fixture, doing.sent, () => this.fixture.ledger.hold(command))).toBe(possible);
  }

  async #end(doing: Extract<Step, { which: number }>): Promise<void> {
    const { model, main } = this;
    const among = doing.do === 'late' ? model.swept : model.open;
    const chosen = among[doing.which % Math.max(1, among.length)];
    if (!chosen) return;
    const to = { id: chosen.id, userId: this.id(chosen.who), familyId: main };
    if (doing.do === 'release' || doing.do === 'sweep') {
      if (doing.do === 'release') model.release(chosen.id);
      else model.sweep(chosen.id);
      const line = doing.do === 'release' ? usage : null;
      expect(await write(this.fixture, doing.sent, () => this.fixture.ledger.release({ ...to, usage: line }))).toBe(
        true,
      );
    } else {
      const part = partOf(chosen, doing.tenths);
      const { cost: of } = chosen;
      const possible = model.settle(chosen.id, part);
      const delivered = part && { codePoints: part.points, charNum: part.cost, of };
      const command = { ...to, usage, ...(delivered && { delivered }) };
      expect(await write(this.fixture, doing.sent, () => this.fixture.ledger.settle(command))).toBe(possible);
    }
  }

  /** Model and product agree in every number, and every invariant holds. */
  async check(): Promise<void> {
    const { rows } = await this.fixture.owner.query<Record<string, number>>(
      `SELECT usable_char_num AS char, usable_voice_num AS voice, usable_image_num AS image, held_char_num AS "heldChar",
         held_voice_num AS "heldVoice", held_image_num AS "heldImage", used_char_total AS used, recharge_amount_total AS recharged,
         entry_seq AS seq, tran_channel_id AS channel, billing_mode AS mode, (date_part('epoch', expire_at) * 1000)::bigint AS expires
       FROM member_account WHERE family_id = $1 ORDER BY user_id`,
      [this.main],
    );
    const { channel, timed, expireAt, sheets } = this.model;
    const expected = sheets.map(({ held, ...sums }) => ({
      ...sums,
      heldChar: held.char,
      heldVoice: held.voice,
      heldImage: held.image,
    }));
    expect(rows.map(({ channel: _, mode: __, expires: ___, ...sums }) => sums)).toEqual(expected);
    const [main, ...subs] = rows.map(({ channel: on, mode, expires }) => [on, mode, expires]);
    expect(main).toEqual([channel, timed ? 2 : 1, expireAt]);
    expect(subs.map(([, ...rest]) => rest)).toEqual(subs.map(() => [1, null]));
    expect(await brokenInvariants(this.fixture.owner, this.main)).toEqual({});
  }
}

const createdAt = (entries: Entry[] | null): number => {
  const [entry] = entries ?? [];
  if (!entry) throw new Error('a command left no entry');
  return entry.createdAt;
};
