import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { checkProof } from '@yiqiao/contracts/operator/accounts';
import { emptyAccount, replay, type AccountState, type Entry } from '@yiqiao/domain/ledger';
import { entryRuleDifference } from '@yiqiao/domain/entry-rules';
import { chain, FIRST_HEAD } from '../rows/chain.js';
import type { Value } from '../rows/account-rows.js';
import { ENTRY_COLUMNS, entryOf } from '../rows/entry-rows.js';
import { Clock } from '../../platform/clock.js';
import { archivedOf, refuseArchived } from '../rows/archived.js';
import { entryCount } from './read-states.js';

type Proof = Answer<typeof checkProof>;
type Break = NonNullable<Proof['firstBreak']>;

/** Entries read at a time. */
const STEP = 2_000;

export class CheckProof extends Query<Proof> {
  constructor(readonly request: Input<typeof checkProof>) {
    super();
  }
}

/** Replays a span of an account's entries and compares their hashes (operators §6). Throws LEDGER_ARCHIVED. */
@QueryHandler(CheckProof)
export class CheckProofHandler implements IQueryHandler<CheckProof> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { userId, toSeq, ...request } }: CheckProof): Promise<Proof> {
    const em = this.em.fork();
    const archived = await archivedOf(em, userId);
    const { fromSeq = (archived?.seq ?? 0) + 1 } = request;
    if (archived && fromSeq <= archived.seq) refuseArchived(archived.at, this.clock);
    const newest = Math.min(toSeq ?? Number.POSITIVE_INFINITY, await entryCount(em, userId));
    // A span beyond the last entry has nothing that could be broken.
    if (newest < fromSeq) return { whole: true, entries: 0, firstBreak: null };
    const replayed = new SpanReplay(fromSeq);
    let seq = Math.max(0, fromSeq - 1);
    for (; seq <= newest; seq += STEP) {
      const rows = await em.execute<Row[]>(ENTRIES, [userId, Math.max(seq, 1), Math.min(newest, seq + STEP - 1)]);
      if (seq === 0) replayed.begin(null);
      for (const { entry, hash } of rows) {
        const stored = entryOf(entry);
        if (stored.seq === fromSeq - 1) replayed.begin({ entry: stored, hash });
        else if (replayed.follow(stored, hash))
          return { whole: false, entries: replayed.entries, firstBreak: replayed.broken };
      }
    }
    const missing = replayed.lacks(newest);
    return { whole: missing === null, entries: replayed.entries, firstBreak: missing };
  }
}

type Row = { entry: Value[]; hash: string };

const ENTRIES = `
SELECT json_build_array(${ENTRY_COLUMNS}) AS entry, encode(hash, 'hex') AS hash
FROM account_log WHERE user_id = ? AND seq BETWEEN ? AND ? ORDER BY seq`;

/** Follows entries from the one before the span, which is taken as it is stored. */
class SpanReplay {
  readonly #state: AccountState = emptyAccount();
  #head = FIRST_HEAD;
  entries = 0;
  broken: Break | null = null;

  /** Without the entry before it, the first one of the span does not follow. */
  constructor(fromSeq: number) {
    this.#state.seq = Math.max(0, fromSeq - 2);
  }

  begin(from: { entry: Entry; hash: string } | null): void {
    if (!from) return;
    const { entry } = from;
    this.#head = from.hash;
    Object.assign(this.#state, {
      seq: entry.seq,
      charNum: entry.lastCharNum,
      voiceNum: entry.lastVoiceNum,
      imageNum: entry.lastImageNum,
      expireAt: entry.lastExpireAt,
      tranChannelId: entry.lastTranChannelId,
      billingMode: entry.lastBillingMode,
    });
  }

  /** Whether the entry breaks the chain. */
  follow(entry: Entry, hash: string): boolean {
    const expected = chain(this.#head, entry);
    const wrong =
      replay(this.#state, entry) ??
      entryRuleDifference(entry) ??
      (hash === expected ? null : { field: 'hash', expected, found: hash });
    if (wrong) {
      this.broken = {
        seq: entry.seq,
        field: wrong.field,
        expected: String(wrong.expected),
        found: String(wrong.found),
      };
      return true;
    }
    this.#head = hash;
    this.entries++;
    return false;
  }

  /** The first entry that is missing at the end of the span. */
  lacks(newest: number): Break | null {
    const { seq } = this.#state;
    return seq >= newest ? null : { seq: seq + 1, field: 'seq', expected: String(seq + 1), found: 'none' };
  }
}
