import { CHANNELS, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { type PriceChanges, TariffBook } from '@yiqiao/domain/what-if';
import type { Ordered } from '@yiqiao/domain/what-if-account';
import type { Books, Choice } from '@yiqiao/domain/what-if-choices';
import { FamilyReplay, type Use } from '@yiqiao/domain/what-if-family';
import { addDifference, channelOf, type Tally } from '@yiqiao/domain/what-if-tally';
import type pg from 'pg';
import { readPriceHistory } from '../audit/audit-prices.js';
import { ENTRY_COLUMN as C, entryFrom } from '../audit/audit-rows.js';
import type { CopyRows } from '../audit/copy-rows.js';
import { withSnapshot } from '../audit/snapshot.js';
import {
  countSpan,
  ENTRY_EXTRA,
  openSpanEntries,
  openSpanLines,
  ordersOf,
  replayBefore,
  type Span,
  SPAN_LINE as L,
} from './what-if-rows.js';

/** How much there is to replay. */
export type SpanSize = { entries: number; families: number };

export type WhatIfOptions = {
  span: Span;
  changes: PriceChanges;
  /** Where the replay goes on: what it has added up behind `span.after`. */
  tally: Tally;
  signal?: AbortSignal;
  onSize?: (size: SpanSize) => void;
  /** Every `reportMs` (1,000) behind a family: all families up to this one are wholly in the tally. */
  onFamily?: (familyId: number) => void;
  reportMs?: number;
};

const [TEXT, VOICE, OTHER] = (['TRANSLATION_CONSUME', 'VOICE_CONSUME', 'OTHER'] as const).map(
  (t) => ENTRY_TYPES[t].code,
);
const OK = 1;
const REPORT_MS = 1_000;
const ENTRIES_PER_LOOK = 10_000;

/**
 * Charges the recorded use and purchases of a time again (operators §8), family by family, under the prices of each moment and under the
 * changed ones, into `tally`, in constant memory and one snapshot. Writes nothing. `pool` provides three connections that may read every table. Throws
 * the signal's reason.
 */
export function replayWhatIf(pool: pg.Pool, options: WhatIfOptions): Promise<void> {
  return withSnapshot<void, 3>(pool, 3, async ([first, second, third]) => {
    const { prices, plans } = await readPriceHistory(first);
    const was = new TariffBook(prices, plans);
    const books: Books = {
      was,
      will: was.changed(options.changes),
      onSale: await choicesOf(first, options.changes),
      until: options.span.to,
    };
    options.onSize?.(await countSpan(third, options.span));
    const entries = await openSpanEntries(first, options.span);
    const lines = await openSpanLines(second, options.span);
    await new SpanReader(entries, lines, { client: third, books, options }).read();
    return { answer: undefined, unread: false };
  });
}

type Work = { client: pg.ClientBase; books: Books; options: WhatIfOptions };

class SpanReader {
  #family: FamilyReplay | null = null;
  #familyId = 0;
  #orders: ReadonlyMap<number, Ordered> | null = null;
  #n = 0;
  #seq = 0;
  #reported = performance.now();
  #looked = 0;
  readonly #use: Use = {
    ...{ userId: 0, seq: 0, type: 0, at: 0, charChange: 0, voiceChange: 0, imageChange: 0 },
    ...{ codePoints: 0, served: 0, own: 0, billingMode: 1, cost: null },
  };

  constructor(
    private readonly entries: CopyRows,
    private readonly lines: CopyRows,
    private readonly work: Work,
  ) {}

  async read(): Promise<void> {
    const { entries } = this;
    for (; entries.live; entries.next() || (await entries.fill())) {
      const n = entries.int(ENTRY_EXTRA.n);
      const seq = entries.int(C.seq);
      if (n < this.#n || (n === this.#n && seq !== this.#seq + 1)) throw new Error('entries come in another order');
      if (n !== this.#n) await this.#begin(n);
      this.#seq = seq;
      const type = entries.int(C.type);
      const isUse = type === TEXT || type === VOICE || (type === OTHER && entries.int(C.imageChange) < 0);
      if (isUse) {
        await this.#consume(n, seq, type);
        this.#family?.use(this.#use);
      } else await this.#follow();
      this.#look();
    }
    if (this.#n !== 0) this.#family?.endAccount();
    this.#family?.end();
    while (this.lines.live) await this.#free();
  }

  /** The next account, of the same family or of another one. */
  async #begin(n: number): Promise<void> {
    const { entries } = this;
    const { books, client, options } = this.work;
    if (this.#n !== 0) this.#family?.endAccount();
    this.#n = n;
    const first = entryFrom(entries);
    if (first.familyId !== this.#familyId) {
      this.#family?.end();
      // Lines of accounts without an entry, too: everything before this family is in the tally now.
      while (this.lines.live && this.lines.int(L.n) < n) await this.#free();
      this.#report(first.familyId - 1);
      this.#familyId = first.familyId;
      this.#orders = null;
      this.#family = new FamilyReplay(first.familyId, entries.int(ENTRY_EXTRA.plan), books, options.tally);
    }
    const inTime = first.userId === first.familyId && first.beforeBillingMode === 'time';
    const before = inTime
      ? await replayBefore(client, { first, book: books.was, orders: await this.#ordered() })
      : undefined;
    this.#family?.begin(first, { shares: entries.int(ENTRY_EXTRA.shares) === 1, before });
  }

  #report(familyId: number): void {
    const { onFamily, reportMs = REPORT_MS } = this.work.options;
    if (performance.now() - this.#reported < reportMs) return;
    this.#reported = performance.now();
    onFamily?.(familyId);
  }

  #look(): void {
    if (++this.#looked % ENTRIES_PER_LOOK !== 0) return;
    this.work.options.signal?.throwIfAborted();
  }

  async #follow(): Promise<void> {
    const entry = entryFrom(this.entries);
    const order = entry.orderId === null ? undefined : (await this.#ordered()).get(entry.orderId);
    this.#family?.follow(entry, order);
  }

  async #ordered(): Promise<ReadonlyMap<number, Ordered>> {
    return (this.#orders ??= await ordersOf(this.work.client, this.#familyId));
  }

  /** Reads the line of the translation log that the current entry belongs to. */
  async #consume(n: number, seq: number, type: number): Promise<void> {
    const { entries, lines } = this;
    while (
      lines.live &&
      (lines.int(L.n) < n || (lines.int(L.n) === n && (lines.isNull(L.entrySeq) || lines.int(L.entrySeq) < seq)))
    )
      await this.#free();
    const use = this.#use;
    use.userId = entries.int(C.userId);
    use.seq = seq;
    use.type = type;
    use.at = entries.time(C.createdAt);
    use.charChange = entries.int(C.charChange);
    use.voiceChange = entries.int(C.voiceChange);
    use.imageChange = entries.int(C.imageChange);
    use.codePoints = entries.int(C.usedCharNum);
    use.served = entries.int(C.consumeTranChannelId);
    use.own = entries.intOrNull(C.lastTranChannelId) ?? CHANNELS[DEFAULT_CHANNEL].id;
    use.billingMode = entries.int(C.lastBillingMode);
    use.cost = null;
    const charged = 0 - use.charChange - use.voiceChange - use.imageChange;
    if (!lines.live || lines.int(L.n) !== n || lines.int(L.entrySeq) !== seq) {
      this.#differs(use, 'line in the translation log', 1, 0);
      return;
    }
    if (lines.int(L.status) !== OK || lines.int(L.charged) !== charged)
      this.#differs(use, 'charge in the translation log', charged, lines.int(L.charged));
    if (lines.int(L.words) !== use.codePoints)
      this.#differs(use, 'words in the translation log', use.codePoints, lines.int(L.words));
    use.billingMode = lines.int(L.mode);
    use.cost = lines.intOrNull(L.cost) ?? (use.served === CHANNELS.offline.id ? 0 : null);
    await this.#nextLine();
  }

  /** A line without a charge: it may have cost something. */
  async #free(): Promise<void> {
    const { lines } = this;
    const { tally } = this.work.options;
    const cost = lines.intOrNull(L.cost) ?? 0;
    if (cost > 0) {
      tally.vendorCost += cost;
      channelOf(tally, lines.int(L.channel)).vendorCost += cost;
    }
    await this.#nextLine();
  }

  async #nextLine(): Promise<void> {
    this.work.options.tally.lines++;
    if (!this.lines.next()) await this.lines.fill();
  }

  #differs({ userId, seq }: Use, what: string, expected: number, found: number): void {
    addDifference(this.work.options.tally, { userId, seq, what, expected, found });
  }
}

type PlanRow = { id: number; mode: number; num: string; price: number; channel: number | null };

async function choicesOf(client: pg.ClientBase, { plans }: PriceChanges): Promise<Choice[]> {
  const { rows } = await client.query<PlanRow>(
    `SELECT id, billing_mode AS mode, num, sale_price AS price, tran_channel_id AS channel FROM member_group WHERE on_sale ORDER BY id`,
  );
  return rows.map(({ id, mode, num, price, channel }) => ({
    id,
    billingMode: mode === 2 ? 'time' : 'char',
    num: { was: Number(num), wouldBe: plans[id]?.num ?? Number(num) },
    salePrice: { was: price, wouldBe: plans[id]?.salePrice ?? price },
    tranChannelId: channel,
  }));
}
