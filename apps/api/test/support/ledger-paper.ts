/** A family's quota as somebody would keep it on paper: plain sums, sharing no code with the product. Answers: was it granted? */
export type Asset = 'char' | 'voice' | 'image';
/** `n` is reserved now; a text of so many `points` was asked for at `cost`. */
export type Reserved = { id: string; who: number; asset: Asset; n: number; points: number; cost: number };
export type Part = { points: number; cost: number };
export type Sheet = Record<Asset, number> & {
  held: Record<Asset, number>;
  used: number;
  recharged: number;
  seq: number;
};

const PRICES: Record<number, number> = { 1: 10, 2: 25 };
export const MINUTE_PRICE = 7;

const sheet = (char: number): Sheet => ({
  ...{ char, voice: 0, image: 0, used: 0, recharged: 0, seq: 1 },
  held: { char: 0, voice: 0, image: 0 },
});

export class Paper {
  /** 0 is the main account; the last of the sub-accounts is shared with. */
  readonly sheets: Sheet[];
  open: Reserved[] = [];
  /** Given back by the sweep, and not settled. */
  swept: Reserved[] = [];
  channel = 1;
  timed = false;

  constructor(chars: number[]) {
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
    // Paid by time, the main account may not ask a dearer channel.
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

  /** Of a text perhaps a part: it pays that part of what is reserved, rounded up, and the rest is free again. */
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

  /** `minutes`: what a main account in time mode has left; answers what it has then. */
  convert(to: { channel: number; timed: boolean }, minutes: number): number {
    const [from, price] = [PRICES[this.channel] ?? 0, PRICES[to.channel] ?? 0];
    const at = (n: number): number => Math.floor((n * from) / price);
    const main = this.of(0);
    let left = minutes;
    if (!this.timed && to.timed) {
      left = Math.floor((main.char * from) / MINUTE_PRICE);
      main.char = 0;
    } else {
      main.char = at(main.char);
      if (this.timed && !to.timed) main.char += Math.floor((minutes * MINUTE_PRICE) / price);
      else if (this.timed) left = at(minutes);
    }
    const converted = (hold: Reserved): number => (hold.who === 0 && to.timed ? 0 : Math.ceil((hold.n * from) / price));
    for (const hold of this.swept) if (hold.asset === 'char') hold.n = converted(hold);
    for (const [who, each] of this.sheets.entries()) {
      if (who > 0) each.char = at(each.char);
      let rest = each.char;
      each.held.char = 0;
      for (const hold of this.open.filter((h) => h.who === who && h.asset === 'char')) {
        hold.n = Math.min(rest, converted(hold));
        rest -= hold.n;
        each.held.char += hold.n;
      }
      each.seq++;
    }
    this.channel = to.channel;
    this.timed = to.timed;
    return left;
  }
}
