import { type Token, tokenize, type Tongue } from './tokens.js';

/** What fills a slot, said in either language. `form` is that of the slot: `a`, `many` or nothing. */
export type SlotValue = (tongue: Tongue, form: string) => string;

/** A reading of the tokens from a place on: the place after it, and the value. */
export type Reading = { readonly end: number; readonly value: SlotValue };

const KINDS = [
  'goods',
  'size',
  'color',
  'material',
  'place',
  'carrier',
  'number',
  'money',
  'percent',
  'quantity',
  'duration',
  'date',
  'order',
  'name',
  'service',
  'act',
  'case',
  'outcome',
] as const;
export type SlotKind = (typeof KINDS)[number];

export const isSlotKind = (kind: string): kind is SlotKind => (KINDS as readonly string[]).includes(kind);

/** `{goods:many}` is kind `goods`, form `many`; `{date2}` is kind `date`, name `date2`. */
export type Slot = { readonly name: string; readonly kind: SlotKind; readonly form: string };

/** The readings of the tokens from `at` as a value of the slot, the longest first. */
export type SlotReader = (slot: Slot, at: number) => readonly Reading[];

/** A row of a slot's table: all names of a thing in both languages, the first of which is said. */
export type Entry = {
  readonly zh: readonly string[];
  readonly en: readonly string[];
  readonly plural: string;
};

/** Tables of the slots that list their values. */
export type Tables = Readonly<Record<TableKind, Table>>;
const TABLES = ['goods', 'size', 'color', 'material', 'place', 'carrier', 'unit', 'date-words'] as const;
export type TableKind = (typeof TABLES)[number];
export const TABLE_KINDS: readonly TableKind[] = TABLES;

/** Looks up the names of one table in either language. */
export class Table {
  private readonly names: Readonly<Record<Tongue, Map<string, Entry>>> = { zh: new Map(), en: new Map() };
  private longest = 0;

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) {
      for (const name of entry.zh) this.add('zh', name, entry);
      for (const name of [...entry.en, entry.plural]) this.add('en', name, entry);
    }
  }

  /** All entries whose name begins at `at`, the longest name first. */
  read(tongue: Tongue, tokens: readonly Token[], at: number): { end: number; entry: Entry; name: string }[] {
    const found = [];
    for (let end = Math.min(tokens.length, at + this.longest); end > at; end--) {
      const name = keyOf(tokens.slice(at, end));
      const entry = this.names[tongue].get(name);
      if (entry) found.push({ end, entry, name });
    }
    return found;
  }

  private add(tongue: Tongue, name: string, entry: Entry): void {
    const tokens = tokenize(name);
    const key = keyOf(tokens);
    if (key === '' || this.names[tongue].has(key)) return;
    this.names[tongue].set(key, entry);
    this.longest = Math.max(this.longest, tokens.length);
  }
}

const keyOf = (tokens: readonly Token[]): string => tokens.map(({ norm }) => norm).join(' ');

/** An action as the buyer (`me`) or the seller says it. */
export type Said = {
  readonly zh: string;
  readonly en: string;
  readonly done: string;
  /** The places where it ends when it begins at `at`. */
  ends(tongue: Tongue, tokens: readonly Token[], at: number, form: string): Iterable<number>;
};
export type Action = { as(person: 'me' | 'you'): Said };

/**
 * What somebody does (`service`: the seller, `act`: the buyer), or a clause after 如果 (`case`) and its `outcome`. They fill the slots of
 * frames such as "Can you {service:me}?". The form of the slot says for whom ("refund me", "refund you"), and `-done` asks for the participle.
 */
export type Actions = Record<ActionKind, Action[]>;
export const ACTION_KINDS = ['service', 'act', 'case', 'outcome'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** The text that is read, and the tables of the book. */
export type Context = {
  readonly tongue: Tongue;
  readonly tokens: readonly Token[];
  readonly tables: Tables;
  readonly actions: Actions;
};
export type Reader = (context: Context, at: number, form?: string) => Iterable<Reading>;

export const listed =
  (table: TableKind): Reader =>
  ({ tongue, tokens, tables }, at) =>
    tables[table].read(tongue, tokens, at).map(({ end, entry }) => ({
      end,
      value: (target) => entry[target][0] ?? '',
    }));
