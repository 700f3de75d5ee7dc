/** Replays one family twice, under the prices of its time and under the changed ones, and adds up the difference (operators §8). */
import { billingModeCode, type Entry, ENTRY_TYPES, type Quota } from './ledger.js';
import { MINUTE_MS, QUOTA_MAX } from './limits.js';
import { autoShare } from './movements.js';
import { rechargeText, type TextUse } from './what-if.js';
import { betterChoice, type Books } from './what-if-choices.js';
import { AccountReplay, type Context, type Effect, type Ordered } from './what-if-account.js';
import {
  add,
  addConversion,
  addDifference,
  addDry,
  addFamily,
  addSwitch,
  channelOf,
  type DryRow,
  type Pair,
  type Part,
  planOf,
  type Tally,
} from './what-if-tally.js';

/** One consumption as recorded: changes are negative. `served` and `own` are channels; `cost` in micro-yuan, null if unknown. */
export type Use = {
  userId: number;
  seq: number;
  type: number;
  at: number;
  charChange: number;
  voiceChange: number;
  imageChange: number;
  codePoints: number;
  served: number;
  own: number;
  /** As stored. */
  billingMode: number;
  cost: number | null;
};

const TEXT = ENTRY_TYPES.TRANSLATION_CONSUME.code;
const TIME = billingModeCode('time');
const MICRO_YUAN_PER_FEN = 10_000;

type Draw = { at: number; charNum: number };

/** One account under both price lists. */
class Account {
  was: AccountReplay;
  will: AccountReplay;
  dry = false;
  converted: TextUse['converted'] = null;
  pending: Entry | null = null;
  channel: number;

  constructor(books: Books, first: Entry, before?: AccountReplay) {
    this.was = new AccountReplay(books.was, first, before);
    this.will = new AccountReplay(books.will, first, before);
    this.channel = first.lastTranChannelId ?? first.beforeTranChannelId ?? 0;
  }
}

/** Sub-accounts first, then the main account: it receives what they leave, and pays what automatic distribution brings them. */
export class FamilyReplay {
  #account: Account | null = null;
  #userId = 0;
  #shares = false;
  readonly #draws: Draw[] = [];
  readonly #left = new Map<number, { was: Quota; will: Quota }>();
  readonly #amount: Pair = { was: 0, wouldBe: 0 };
  readonly #bought = new Map<number, number>();
  #effect = 0;
  #media = 0;
  #minutePrice = 1;

  /** `plan`: the family's now. */
  constructor(
    private readonly familyId: number,
    private plan: number,
    private readonly books: Books,
    private readonly tally: Tally,
  ) {}

  /** `first`: its first entry of the time; `before`: the replay of what led there, for a main account in time mode. */
  begin(first: Entry, { shares, before }: { shares: boolean; before?: AccountReplay | undefined }): void {
    this.#userId = first.userId;
    this.#shares = shares;
    this.#account = new Account(this.books, first, before);
  }

  use(use: Use): void {
    const account = this.#current();
    const { tally } = this;
    tally.entries++;
    this.#draw(use.at);
    const channel = channelOf(tally, use.served);
    channel.lines++;
    if (use.cost === null) tally.costless++;
    else {
      tally.vendorCost += use.cost;
      channel.vendorCost += use.cost;
    }
    if (use.type !== TEXT) {
      add(
        tally.baseline[use.voiceChange === 0 ? 'imageNum' : 'voiceNum'],
        -use.voiceChange - use.imageChange,
        -use.voiceChange - use.imageChange,
      );
      for (const side of [account.was, account.will]) {
        side.voiceNum += use.voiceChange;
        side.imageNum += use.imageChange;
      }
    } else this.#text(use, account, channel);
    this.#mind(account, use.at);
  }

  #text(use: Use, account: Account, channel: ReturnType<typeof channelOf>): void {
    const { tally, books } = this;
    const charged = 0 - use.charChange;
    const { codePoints, served, own, at } = use;
    let willBe = 0;
    let computed = 0;
    if (use.billingMode === TIME) {
      if (served !== own && books.will.price(served, at) > books.will.price(own, at)) tally.notIncluded++;
      tally.reasons.plain++;
    } else if (served === own && charged === codePoints) {
      willBe = computed = charged;
      tally.reasons.plain++;
    } else {
      const text = { codePoints, charged, served, own, at, converted: account.converted };
      const found = rechargeText(text, books.was, books.will);
      if (found) {
        computed = charged;
        willBe = found.willBe;
        tally.reasons[found.reason]++;
      } else willBe = computed = codePoints;
    }
    add(tally.baseline.charNum, charged, computed);
    if (computed !== charged) this.#differs(use.seq, 'charge of a translation', computed, charged);
    account.was.charNum -= charged;
    account.will.charNum -= willBe;
    add(tally.charged, charged, willBe);
    add(channel.charged, charged, willBe);
    add(channel.value, charged * books.was.price(own, at), willBe * books.will.price(own, at));
  }

  /** An entry that is no consumption. */
  follow(entry: Entry, order: Ordered | undefined): void {
    const account = this.#current();
    this.tally.entries++;
    this.#draw(entry.createdAt);
    if (account.pending) {
      const conversion = account.pending;
      account.pending = null;
      this.#apply(account, conversion, { purchase: { entry, order } });
    }
    // A purchase says what the conversion before it is worth.
    if (entry.type === 'SYS_MATRIX' && entry.userId === this.familyId) account.pending = entry;
    else this.#apply(account, entry, { order });
  }

  #apply(account: Account, entry: Entry, context: Context): void {
    const left = entry.type === 'RECOVERY' ? this.#recovered(account, entry) : undefined;
    const expireBefore = account.will.expireAt;
    const before = account.was.charNum;
    const was = account.was.follow(entry, { ...context, left: left?.was });
    const will = account.will.follow(entry, { ...context, left: left?.will });
    this.#compare(account, entry, was.effect);
    this.#sum(entry, { was: was.effect, will: will.effect, context });
    account.channel = entry.lastTranChannelId ?? account.channel;
    if (entry.type === 'MATRIX' || entry.type === 'SYS_MATRIX') this.#converted(account, entry, before);
    if (expireBefore !== null) this.#mind(account, entry.createdAt);
  }

  #converted(account: Account, entry: Entry, before: number): void {
    const { userId, familyId, seq, createdAt: at, beforeTranChannelId: from, lastTranChannelId: to } = entry;
    if (from === null || to === null) return;
    account.converted = { from, at };
    if (from === to) return;
    const charNum = { was: account.was.charNum, wouldBe: account.will.charNum };
    addConversion(this.tally, { userId, familyId, seq, at, from, to, before, charNum });
  }

  #recovered(account: Account, entry: Entry): { was: Quota; will: Quota } | undefined {
    if (entry.userId === this.familyId) return this.#left.get(entry.counterpartId ?? 0);
    const quota = ({ charNum, voiceNum, imageNum }: Quota): Quota => ({ charNum, voiceNum, imageNum });
    this.#left.set(entry.userId, { was: quota(account.was), will: quota(account.will) });
    return undefined;
  }

  /** The replay without changes must do what the entry says. */
  #compare(account: Account, entry: Entry, effect: Effect): void {
    const { was } = account;
    const pairs: readonly [string, number, number][] = [
      ['charChange', effect.charChange, entry.charChange],
      ['minChange', effect.minChange, entry.minChange],
      ['voiceChange', effect.voiceChange, entry.voiceChange],
      ['imageChange', effect.imageChange, entry.imageChange],
      ['amount', effect.amount, entry.amount],
      ['lastExpireAt', was.expireAt ?? 0, entry.lastExpireAt ?? 0],
      ['lastCharNum', was.charNum, entry.lastCharNum],
      ['lastVoiceNum', was.voiceNum, entry.lastVoiceNum],
      ['lastImageNum', was.imageNum, entry.lastImageNum],
    ];
    const wrong = pairs.find(([, expected, found]) => expected !== found);
    if (!wrong) return;
    const [field, expected, found] = wrong;
    this.#differs(entry.seq, `${entry.type}: ${field}`, expected, found);
    was.restore(entry);
  }

  #sum(entry: Entry, { was, will, context }: { was: Effect; will: Effect; context: Context }): void {
    const { baseline } = this.tally;
    const both = (part: Part, recorded: number, computed: number): void => add(baseline[part], recorded, computed);
    add(this.tally.amount, was.amount, will.amount);
    add(this.#amount, was.amount, will.amount);
    both('amount', entry.amount, was.amount);
    if (entry.type === 'MATRIX' || entry.type === 'SYS_MATRIX') both('converted', entry.charChange, was.charChange);
    if (entry.type !== 'RECHARGE_ORDER_BY_MEMBER_GROUP') return;
    both('credited', entry.charChange, was.charChange);
    both('minutes', entry.minChange, was.minChange);
    add(this.tally.credited, was.charChange, will.charChange);
    add(this.tally.minutes, was.minChange, will.minChange);
    const id = entry.memberGroupId ?? 0;
    this.plan = id;
    const plan = planOf(this.tally, id);
    add(plan.amount, was.amount, will.amount);
    add(plan.charNum, was.charChange, will.charChange);
    add(plan.minutes, was.minChange, will.minChange);
    const { order } = context;
    if (!order) return;
    plan.orders++;
    plan.units += order.quantity;
    this.#minutePrice = order.terms.minutePrice;
    this.#bought.set(id, (this.#bought.get(id) ?? 0) + order.quantity);
  }

  /** What automatic distribution has moved to sub-accounts by now, beyond what it really did. */
  #draw(at: number): void {
    if (this.#userId !== this.familyId) return;
    for (let draw = this.#draws[0]; draw && draw.at <= at; draw = this.#draws[0]) {
      this.#draws.shift();
      const account = this.#current();
      account.will.charNum -= draw.charNum;
      this.#mind(account, draw.at);
    }
  }

  /** Notes the first moment at which the account would not have sufficed. */
  #mind(account: Account, at: number): void {
    const { will, was } = account;
    if (will.charNum < 0 && this.#shares) {
      const charNum = autoShare(0 - will.charNum, QUOTA_MAX) ?? 0;
      this.#draws.push({ at, charNum });
      will.charNum += charNum;
    }
    if (account.dry) return;
    const kind: DryRow['kind'] | null =
      will.charNum < 0
        ? 'char'
        : will.voiceNum < 0
          ? 'voice'
          : will.imageNum < 0
            ? 'image'
            : will.expireAt !== null && will.expireAt <= at && (was.expireAt ?? 0) > at
              ? 'time'
              : null;
    if (kind === null) return;
    account.dry = true;
    addDry(this.tally, { userId: this.#userId, familyId: this.familyId, at, kind });
  }

  endAccount(): void {
    const account = this.#current();
    if (account.pending) this.#apply(account, account.pending, {});
    this.#draw(Number.POSITIVE_INFINITY);
    const { was, will, channel } = account;
    const { books } = this;
    const price = channel === 0 ? 1 : books.was.price(channel, books.until);
    this.#effect += (will.charNum - was.charNum) * price;
    if (this.#userId === this.familyId && was.expireAt !== will.expireAt)
      this.#effect += Math.round(((will.expireAt ?? 0) - (was.expireAt ?? 0)) / MINUTE_MS) * this.#minutePrice;
    this.#media += will.voiceNum - was.voiceNum + will.imageNum - was.imageNum;
    this.#channel = channel;
    this.#account = null;
    this.#draws.sort((a, b) => a.at - b.at);
  }

  #channel = 0;

  end(): void {
    this.tally.families++;
    const { was, wouldBe } = this.#amount;
    const effect = this.#effect - (wouldBe - was) * MICRO_YUAN_PER_FEN;
    const row = { familyId: this.familyId, plan: this.plan, channel: this.#channel, amount: { was, wouldBe } };
    addFamily(this.tally, { ...row, effect: effect === 0 ? Math.sign(this.#media) : effect });
    for (const [id, units] of this.#bought) this.#switch(id, units);
  }

  /** Whoever bought several of a plan may be better off with a larger one. */
  #switch(id: number, units: number): void {
    const found = betterChoice(this.books.onSale, id, units);
    if (found) addSwitch(this.tally, found);
  }

  #differs(seq: number, what: string, expected: number, found: number): void {
    addDifference(this.tally, { userId: this.#userId, seq, what, expected, found });
  }

  #current(): Account {
    if (!this.#account) throw new Error('no account has begun');
    return this.#account;
  }
}
