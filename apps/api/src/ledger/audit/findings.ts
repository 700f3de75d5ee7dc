import type { Difference } from '@yiqiao/domain/ledger';

/** A difference of an account, at one of its entries; `seq` null: in another row. */
export type LedgerDifference = Difference & { userId: number; seq: number | null };

/** A difference with its consequences, in the order in which they were found. */
export type Finding = LedgerDifference & { consequences: LedgerDifference[] };

/** The default limit of findings. */
export const FINDINGS_DEFAULT = 100;
/** Consequences kept per finding. */
const CONSEQUENCES_MAX = 20;

/** Topics of differences, which link a later difference to its cause. */
export const about = {
  entry: (userId: number, seq: number): string => `entry ${userId} ${seq}`,
  /** An entry of the account was altered. */
  broken: (userId: number): string => `account ${userId}`,
  /** Entries of the account are missing. */
  missing: (userId: number): string => `missing ${userId}`,
  lines: (userId: number): string => `lines ${userId}`,
  order: (id: number): string => `order ${id}`,
  usage: (familyId: number): string => `usage ${familyId}`,
};

/** Collects the differences of an audit, each consequence under its cause, up to a limit of findings. */
export class Findings {
  readonly list: Finding[] = [];
  /** The accounts that were named, in consequences too. */
  readonly named = new Set<number>();
  /** The number of differences, with those that were not kept. */
  count = 0;
  readonly #byTopic = new Map<string, Finding>();

  constructor(private readonly limit: number) {}

  /** Whether the limit is reached. */
  get full(): boolean {
    return this.list.length >= this.limit;
  }

  /** `topics`: what later differences can refer to; `causes`: topics of earlier findings that explain this one. */
  add(difference: LedgerDifference, topics: readonly string[], causes: readonly string[] = []): void {
    this.count++;
    this.named.add(difference.userId);
    const cause = [...topics, ...causes].map((topic) => this.#byTopic.get(topic)).find((found) => found !== undefined);
    if (cause && cause.consequences.length < CONSEQUENCES_MAX) cause.consequences.push(difference);
    const finding = cause ?? { ...difference, consequences: [] };
    if (!cause) {
      if (this.full) return;
      this.list.push(finding);
    }
    for (const topic of topics) if (!this.#byTopic.has(topic)) this.#byTopic.set(topic, finding);
  }

  /** Makes later differences about `topic` consequences of the finding about `of`. */
  link(topic: string, of: string): void {
    const finding = this.#byTopic.get(of);
    if (finding && !this.#byTopic.has(topic)) this.#byTopic.set(topic, finding);
  }
}
