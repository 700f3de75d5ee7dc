import type { Difference } from '@yiqiao/domain/ledger';

/** Something that does not follow: whose, at which entry (null: a row beside the entries), and what. */
export type LedgerDifference = Difference & { userId: number; seq: number | null };

/** A difference with what follows from it, in the order in which it was found. */
export type Finding = LedgerDifference & { consequences: LedgerDifference[] };

/** How many differences an audit names when nobody says otherwise. */
export const FINDINGS_DEFAULT = 100;
/** Consequences that are kept of one finding. */
const CONSEQUENCES_MAX = 20;

/** What a difference is about, so that a later one can be told to follow from it. */
export const about = {
  entry: (userId: number, seq: number): string => `entry ${userId} ${seq}`,
  /** Something in the account's entries is not as it was written. */
  broken: (userId: number): string => `account ${userId}`,
  /** Entries of the account are not there. */
  missing: (userId: number): string => `missing ${userId}`,
  lines: (userId: number): string => `lines ${userId}`,
  order: (id: number): string => `order ${id}`,
  usage: (familyId: number): string => `usage ${familyId}`,
};

/** Collects what an audit finds: what belongs together under one finding, up to a number of findings. */
export class Findings {
  readonly list: Finding[] = [];
  readonly #byTopic = new Map<string, Finding>();

  constructor(private readonly limit: number) {}

  /** Whether nothing more will be named. */
  get full(): boolean {
    return this.list.length >= this.limit;
  }

  /** `topics`: what it is about, for what comes later; `causes`: what it follows from if that was found before. */
  add(difference: LedgerDifference, topics: readonly string[], causes: readonly string[] = []): void {
    const cause = [...topics, ...causes].map((topic) => this.#byTopic.get(topic)).find((found) => found !== undefined);
    if (cause && cause.consequences.length < CONSEQUENCES_MAX) cause.consequences.push(difference);
    const finding = cause ?? { ...difference, consequences: [] };
    if (!cause) {
      if (this.full) return;
      this.list.push(finding);
    }
    for (const topic of topics) if (!this.#byTopic.has(topic)) this.#byTopic.set(topic, finding);
  }

  /** What is found of `topic` later on follows from what was found of `of`. */
  know(topic: string, of: string): void {
    const finding = this.#byTopic.get(of);
    if (finding && !this.#byTopic.has(topic)) this.#byTopic.set(topic, finding);
  }
}
