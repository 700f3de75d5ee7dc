/** An independent model of a family's quota: plain sums without any code of the product. Methods return whether the step is granted. */
export type Asset = 'char' | 'voice' | 'image';
/** `n`: reserved now; of a text with `points` code points, priced at `cost`. */
export type Reserved = { id: string; who: number; asset: Asset; n: number; points: number; cost: number };
export type Part = { points: number; cost: number };
export type Sheet = Record<Asset, number> & {
  held: Record<Asset, number>;
  used: number;
  recharged: number;
  seq: number;
};

/** One unit of a plan at the price of channel 1; `channel` null keeps the member's channel. */
export type Plan = {
  id: number;
  timed: boolean;
  num: number;
  voice: number;
  image: number;
  fen: number;
  channel: number | null;
};

/** Micro-yuan per character, by channel. */
export const PRICES: Record<number, number> = { 1: 10, 2: 25 };
/** Micro-yuan, at the price of channel 1. */
export const MINUTE_PRICE = 7;
const [MINUTE_MS, MONTH_MS] = [60_000, 30 * 86_400_000];

const sheet = (char: number): Sheet => ({
  char,
  voice: 0,
  image: 0,
  used: 0,
  recharged: 0,
  seq: 1,
  held: { char: 0, voice: 0, image: 0 },
});

const priceOf = (channel: number): number => PRICES[channel] ?? 0;
/** floor(n · of / by), exact. */
const share = (n: number, of: number, by: number): number =>
  by === 0 ? 0 : Number((BigInt(n) * BigInt(of)) / BigInt(by));

export class Model {
  /** 0 is the main account; the last of the sub-accounts has auto-distribution. */
  readonly sheets: Sheet[];
  open: Reserved[] = [];
  /** Released by the sweep, and not settled. */
  swept: Reserved[] = [];
  channel = 1;
  timed = false;
  rewarded = false;
  /** In time mode: the minutes after their last change, and their total value. */
  #minutes = 0;
  #worth = 0;

  /** `expireAt`: of the main account, in ms. */
  constructor(
    chars: number[],
    public expireAt: number,
  ) {
    this.sheets = chars.map(sheet);
  }

  of(who: number): Sheet {
    const found = this.sheets[who];
    if (!found) throw new RangeError(`no sheet ${who}`);
    return found;
  }

  free(who: number, asset: Asset): number {
    return this.of(who)[asset] - this.of(who).held[asset];
  }

  /** One entry. */
  change(who: number, asset: Asset, n: number): boolean {
    if (this.free(who, asset) + n < 0) return false;
    this.of(who)[asset] += n;
    this.of(who).seq++;
    return true;
  }

  transfer(sub: number, asset: Asset, n: number): boolean {
    if (this.free(0, asset) - n < 0 || this.free(sub, asset) + n < 0) return false;
    return this.change(0, asset, -n) && this.change(sub, asset, n);
  }

  recover(sub: number): boolean {
    this.#giveBack((hold) => hold.who === sub);
    for (const asset of ['char', 'voice', 'image'] as const) {
      this.of(0)[asset] += this.of(sub)[asset];
      this.of(sub)[asset] = 0;
    }
    this.of(0).seq++;
    this.of(sub).seq++;
    return true;
  }

  sweep(id: string): void {
    this.#giveBack((hold) => hold.id === id);
  }

  #giveBack(which: (hold: Reserved) => boolean): void {
    for (const hold of this.open.filter(which)) {
      this.of(hold.who).held[hold.asset] -= hold.n;
      this.swept.push(hold);
    }
    this.open = this.open.filter((hold) => !which(hold));
  }

  hold(id: string, who: number, ask: { asset: Asset; n: number; points: number }): boolean {
    const { asset } = ask;
    // In time mode the main account may not use a dearer channel.
    if (asset === 'char' && who === 0 && this.timed && ask.n > ask.points) return false;
    const n = asset === 'char' && who === 0 && this.timed ? 0 : ask.n;
    const lacking = n - this.free(who, asset);
    if (lacking > 0) {
      if (asset !== 'char' || who !== this.sheets.length - 1 || this.free(0, 'char') < lacking) return false;
      this.transfer(who, 'char', Math.min(this.free(0, 'char'), 10_000 * Math.ceil(lacking / 10_000)));
    }
    this.of(who).held[asset] += n;
    this.open.push({ id, who, asset, n, points: ask.points, cost: ask.n });
    return true;
  }

  /** `part`: charges that share of the reservation, rounded up, and releases the rest. */
  settle(id: string, part: Part | null): boolean {
    const late = this.swept.find((hold) => hold.id === id);
    const hold = late ?? this.open.find((each) => each.id === id);
    if (!hold) throw new Error(`no hold ${id}`);
    const n = part ? Math.ceil((hold.n * part.cost) / hold.cost) : hold.n;
    if (late && this.free(late.who, late.asset) < n) return false;
    if (!late) this.of(hold.who).held[hold.asset] -= hold.n;
    this.change(hold.who, hold.asset, -n);
    this.of(hold.who).used += part ? part.points : hold.points;
    this.open = this.open.filter((each) => each.id !== id);
    this.swept = this.swept.filter((each) => each.id !== id);
    return true;
  }

  release(id: string): void {
    this.sweep(id);
    this.swept = this.swept.filter((hold) => hold.id !== id);
  }

  /** Once per mailbox. */
  reward(): void {
    if (!this.rewarded) this.change(0, 'char', 10_000);
    this.rewarded = true;
  }

  /** A unit of the plan is credited at `at`, paid or granted; another channel or mode converts the family first. */
  buy(plan: Plan, { at, paid }: { at: number; paid: boolean }): void {
    const channel = plan.channel ?? this.channel;
    if (channel !== this.channel || plan.timed !== this.timed) this.convert({ channel, timed: plan.timed }, at);
    const main = this.of(0);
    const arrived = share(plan.num, priceOf(1), priceOf(channel));
    const from = Math.max(at, this.expireAt);
    if (plan.timed) {
      this.#worth = share(this.#worth, this.#minutesLeft(at), this.#minutes) + this.#worthOf(arrived, channel);
      this.expireAt = from + arrived * MINUTE_MS;
      this.#minutes = this.#minutesLeft(at);
    } else {
      main.char += arrived;
      this.expireAt = from + MONTH_MS;
    }
    main.voice += plan.voice;
    main.image += plan.image;
    if (paid) main.recharged += plan.fen;
    main.seq++;
  }

  #minutesLeft(at: number): number {
    return Math.max(0, Math.floor((this.expireAt - at) / MINUTE_MS));
  }

  #worthOf(minutes: number, channel: number): number {
    return share(minutes, MINUTE_PRICE * priceOf(channel), priceOf(1));
  }

  /** At equal value: the whole family when the channel changes, the main account alone when only the mode does. */
  convert(to: { channel: number; timed: boolean }, at: number): void {
    const [from, price] = [priceOf(this.channel), priceOf(to.channel)];
    const converted = (n: number): number => share(n, from, price);
    this.#convertMain(to, at);
    const everybody = to.channel !== this.channel;
    const isConverted = (hold: Reserved): boolean => hold.asset === 'char' && (everybody || hold.who === 0);
    const heldAfter = (hold: Reserved): number => (hold.who === 0 && to.timed ? 0 : Math.ceil((hold.n * from) / price));
    for (const hold of this.swept.filter(isConverted)) hold.n = heldAfter(hold);
    for (const [who, each] of this.sheets.entries()) {
      if (who > 0 && !everybody) break;
      if (who > 0) each.char = converted(each.char);
      let rest = each.char;
      each.held.char = 0;
      for (const hold of this.open.filter((h) => h.who === who && isConverted(h))) {
        hold.n = Math.min(rest, heldAfter(hold));
        rest -= hold.n;
        each.held.char += hold.n;
      }
      each.seq++;
    }
    this.channel = to.channel;
    this.timed = to.timed;
  }

  #convertMain(to: { channel: number; timed: boolean }, at: number): void {
    const [from, price] = [priceOf(this.channel), priceOf(to.channel)];
    const main = this.of(0);
    const left = this.#minutesLeft(at);
    if (!this.timed && to.timed) {
      this.#minutes = share(main.char * from, priceOf(1), MINUTE_PRICE * price);
      this.#worth = this.#worthOf(this.#minutes, to.channel);
      this.expireAt = at + this.#minutes * MINUTE_MS;
      main.char = 0;
      return;
    }
    main.char = share(main.char, from, price);
    if (this.timed && !to.timed) {
      main.char += share(this.#worth, left, this.#minutes * price);
      this.expireAt = at;
    } else if (this.timed) {
      this.#worth = share(this.#worth, left, this.#minutes);
      this.#minutes = share(left, from, price);
      this.expireAt += (this.#minutes - left) * MINUTE_MS;
    }
  }
}
