import { expect } from '@jest/globals';
import { convertHolds, convertMain, convertSub, minutesLeft, type Tariff } from '@yiqiao/domain/conversion';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry, Movement, Quota } from '@yiqiao/domain/ledger';
import { distribution, recovery } from '@yiqiao/domain/movements';
import type { MoveCommand, Posting, Rule } from '../../src/ledger/ledger.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import { brokenRules } from './ledger-oracle.js';
import { MINUTE_PRICE, Paper, type Asset, type Part, type Reserved } from './ledger-paper.js';
import { usage, WRITER_NAME, type LedgerHouse } from './ledger.js';

/** How a command is sent: once, twice at the same time, again later, or again after a crash in the middle of it. */
export type Sent = 'once' | 'twice' | 'again' | 'crashed';
export type Step = { sent: Sent } & (
  | { do: 'recharge' | 'reward' }
  | { do: 'adjust' | 'give'; who: number; asset: Asset; n: number }
  /** `price`: of the channel that is asked for a text, in tenths of the own one's. */
  | { do: 'hold'; who: number; asset: Asset; n: number; price: number }
  | { do: 'recover'; who: number }
  | { do: 'channel' | 'mode' }
  /** `tenths`: so much of a text was delivered. */
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
/** Prices as the sheets of paper have them. */
const tariffs = (channel: number, timed: boolean): Tariff => ({
  billingMode: timed ? 'time' : 'char',
  ...{ tranChannelId: channel, charPrice: channel === 1 ? 10 : 25, minutePrice: MINUTE_PRICE },
  referencePrice: channel === 1 ? 10 : 25,
});
type Moving = { familyId: number; rule: Rule; command: MoveCommand & Also };
/** What a command writes beside the ledger, in its transaction. */
type Also = { also?: [query: string, parameters: unknown[]] };
const ADJUSTED = `INSERT INTO manager_action (cmd_id, manager_id, user_id, family_id, reason) VALUES (?, 1, ?, ?, 'as agreed')
  ON CONFLICT DO NOTHING`;
export const YEAR_MS = 366 * 86_400_000;

const granted = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && ['QUOTA_NOT_ENOUGH', 'CHANNEL_NOT_INCLUDED'].includes(error.code)) return false;
      throw error;
    },
  );
/** About so many tenths of a text; null for the whole, and for what has no parts. */
const partOf = ({ asset, points, cost }: Reserved, tenths: number): Part | null => {
  if (asset !== 'char' || tenths >= 10) return null;
  const some = (n: number): number => Math.max(1, Math.floor((n * tenths) / 10));
  return { points: some(points), cost: some(cost) };
};
const crash = new Error('crash');

/** Sends a posting command; a crash is a transaction that ends half way. */
const move = async (house: LedgerHouse, how: Sent, sent: Moving): Promise<boolean> => {
  const { familyId, rule, command } = sent;
  const once = (fail?: Error): Promise<Entry[]> =>
    house.orm.em.fork().transactional(async (em) => {
      const entries = await house.ledger.move(em, { familyId }, { rule, command });
      if (command.also) await em.execute(...command.also);
      if (fail) throw fail;
      return entries;
    });
  if (how === 'crashed') await once(crash).catch((error: unknown) => error === crash || error instanceof Refusal);
  const outcomes = how === 'twice' ? await Promise.all([granted(once()), granted(once())]) : [await granted(once())];
  if (how === 'again' && outcomes[0]) outcomes.push(await granted(once()));
  expect(new Set(outcomes).size).toBe(1);
  return outcomes[0] ?? false;
};
/** Sends a command of the hot path; a crash takes the connection away while it is under way. */
const write = async (house: LedgerHouse, how: Sent, once: () => Promise<unknown>): Promise<boolean> => {
  if (how === 'twice') {
    const outcomes = await Promise.all([granted(once()), granted(once())]);
    expect(new Set(outcomes).size).toBe(1);
    return outcomes[0] ?? false;
  }
  const first = granted(once());
  if (how === 'crashed')
    await house.owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
      [WRITER_NAME],
    );
  const outcome = await first;
  if (how !== 'once' && outcome) expect(await granted(once())).toBe(true);
  return outcome;
};

/** One family's story, told to the product and to paper at once. */
export class Story {
  readonly paper: Paper;
  constructor(
    private readonly house: LedgerHouse,
    readonly ids: number[],
  ) {
    this.paper = new Paper([20_000, 500, 500]);
  }

  get main(): number {
    return this.ids[0] ?? 0;
  }

  id(account: number): number {
    return this.ids[account] ?? 0;
  }

  #move(how: Sent, rule: Rule, command: MoveCommand & Also): Promise<boolean> {
    return move(this.house, how, { familyId: this.main, rule, command });
  }

  #one(userId: number, movement: Movement, how: Sent): Promise<boolean> {
    return this.#move(how, () => [{ userId, movement }], { cmdId: uuid7() });
  }

  async take(doing: Step): Promise<void> {
    const { paper, main } = this;
    switch (doing.do) {
      case 'recharge': {
        paper.change(0, 'char', 5_000);
        paper.of(0).voice += 3;
        paper.of(0).image += 4;
        paper.of(0).recharged += 990;
        const movement: Movement = {
          type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
          charChange: 5_000,
          voiceChange: 3,
          imageChange: 4,
        };
        expect(await this.#one(main, { ...movement, amount: 990 }, doing.sent)).toBe(true);
        return;
      }
      case 'reward':
        paper.change(0, 'char', 10_000);
        expect(await this.#one(main, { type: 'INVITE_REWARD', charChange: 10_000 }, doing.sent)).toBe(true);
        return;
      case 'adjust': {
        const by = doing.n % 3 === 0 ? doing.n : -doing.n;
        const possible = paper.change(doing.who, doing.asset, by);
        const userId = this.id(doing.who);
        const movement: Movement = { type: 'SYS_ADJUST', ...changes(doing.asset, by), refs: { managerId: 1 } };
        const cmdId = uuid7();
        const command = { cmdId, also: [ADJUSTED, [cmdId, userId, main]] as [string, unknown[]] };
        expect(await this.#move(doing.sent, () => [{ userId, movement }], command)).toBe(possible);
        return;
      }
      case 'give': {
        const child = 1 + (doing.who % 2);
        const by = doing.n % 3 === 0 ? -doing.n : doing.n;
        const possible = paper.transfer(child, doing.asset, by);
        const pair = { mainId: main, childId: this.id(child) };
        const rule: Rule = () => [...distribution(pair, quota(doing.asset, by))];
        expect(await this.#move(doing.sent, rule, { cmdId: uuid7() })).toBe(possible);
        return;
      }
      case 'recover':
        return this.#recover(1 + (doing.who % 2), doing.sent);
      case 'channel':
        return this.#convert({ channel: 3 - paper.channel, timed: paper.timed }, doing.sent);
      case 'mode':
        return this.#convert({ channel: paper.channel, timed: !paper.timed }, doing.sent);
      case 'hold':
        return this.#hold(doing);
      default:
        return this.#end(doing);
    }
  }

  async #recover(child: number, how: Sent): Promise<void> {
    this.paper.recover(child);
    const childId = this.id(child);
    const rule: Rule = (accounts) =>
      accounts
        .filter((account) => account.userId === childId)
        .flatMap((account): Posting[] => [...recovery({ mainId: this.main, childId }, account.state)]);
    expect(await this.#move(how, rule, { cmdId: uuid7(), releaseHolds: [childId] })).toBe(true);
  }

  async #convert(to: { channel: number; timed: boolean }, how: Sent): Promise<void> {
    const { paper, main } = this;
    const [before, after] = [tariffs(paper.channel, paper.timed), tariffs(to.channel, to.timed)];
    let minutes = 0;
    let [expireAt, began] = [0, 0];
    const rule: Rule = (accounts, now) => {
      began = now;
      return accounts.map((account): Posting => {
        const isMain = account.userId === main;
        if (isMain) minutes = minutesLeft(account.state.expireAt, now);
        const changed = isMain
          ? convertMain(account.state, before, after, now)
          : convertSub(account.state, before, after);
        if (isMain) expireAt = changed.expireAt ?? 0;
        const [from, into] = isMain
          ? [before, after]
          : [
              { ...before, billingMode: 'char' as const },
              { ...after, billingMode: 'char' as const },
            ];
        return {
          userId: account.userId,
          // Leaving time mode, a package was bought: the account goes on living.
          movement: {
            type: before.billingMode === after.billingMode ? 'MATRIX' : 'SYS_MATRIX',
            ...changed,
            ...(isMain && !to.timed && { expireAt: now + YEAR_MS }),
          },
          convertHolds: (holds, charNum) => convertHolds(holds, from, into, charNum),
        };
      });
    };
    expect(await this.#move(how, rule, { cmdId: uuid7() })).toBe(true);
    const left = paper.convert(to, minutes);
    // What had expired stays expired, however long ago that is.
    if (to.timed) expect(Math.max(0, Math.floor((expireAt - began) / 60_000))).toBe(left);
  }

  async #hold(doing: Extract<Step, { do: 'hold' }>): Promise<void> {
    const { paper, main } = this;
    const amount = doing.asset === 'image' ? 1 : doing.asset === 'voice' ? 1 + (doing.n % 5) : doing.n;
    // A package that has run out is another story.
    if (paper.timed && (await this.#expired())) return;
    const id = uuid7();
    const isText = doing.asset === 'char';
    const n = isText ? Math.ceil((amount * doing.price) / 10) : amount;
    const possible = paper.hold(id, doing.who, { asset: doing.asset, n, points: isText ? amount : 0 });
    const ask =
      doing.asset === 'char'
        ? ({ kind: 'text', codePoints: amount, ...(n !== amount && { charNum: n }) } as const)
        : doing.asset === 'voice'
          ? ({ kind: 'voice', minutes: amount } as const)
          : ({ kind: 'image' } as const);
    const command = { id, userId: this.id(doing.who), familyId: main, ask };
    expect(await write(this.house, doing.sent, () => this.house.ledger.hold(command))).toBe(possible);
  }

  async #expired(): Promise<boolean> {
    const { expireAt } = await this.house.ledger.balanceOf(this.main);
    return expireAt === null || expireAt.getTime() < Date.now() + 60_000;
  }

  async #end(doing: Extract<Step, { which: number }>): Promise<void> {
    const { paper, main } = this;
    const among = doing.do === 'late' ? paper.swept : paper.open;
    const chosen = among[doing.which % Math.max(1, among.length)];
    if (!chosen) return;
    const to = { id: chosen.id, userId: this.id(chosen.who), familyId: main };
    if (doing.do === 'release' || doing.do === 'sweep') {
      if (doing.do === 'release') paper.release(chosen.id);
      else paper.sweep(chosen.id);
      const line = doing.do === 'release' ? usage : null;
      expect(await write(this.house, doing.sent, () => this.house.ledger.release({ ...to, usage: line }))).toBe(true);
    } else {
      const part = partOf(chosen, doing.tenths);
      const { cost: of } = chosen;
      const possible = paper.settle(chosen.id, part);
      const delivered = part && { codePoints: part.points, charNum: part.cost, of };
      const command = { ...to, usage, ...(delivered && { delivered }) };
      expect(await write(this.house, doing.sent, () => this.house.ledger.settle(command))).toBe(possible);
    }
  }

  /** Paper and product agree in every number, and every invariant holds. */
  async check(): Promise<void> {
    const { rows } = await this.house.owner.query<Record<string, number>>(
      `SELECT usable_char_num AS char, usable_voice_num AS voice, usable_image_num AS image, held_char_num AS "heldChar",
         held_voice_num AS "heldVoice", held_image_num AS "heldImage", used_char_total AS used, recharge_amount_total AS recharged,
         entry_seq AS seq FROM member_account WHERE family_id = $1 ORDER BY user_id`,
      [this.main],
    );
    const expected = this.paper.sheets.map(({ held, ...sums }) => ({
      ...sums,
      ...{ heldChar: held.char, heldVoice: held.voice, heldImage: held.image },
    }));
    expect(rows).toEqual(expected);
    expect(await brokenRules(this.house.owner, this.main)).toEqual({});
  }
}
