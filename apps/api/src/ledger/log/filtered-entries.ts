import type { EntityManager } from '@mikro-orm/postgresql';
import type { exportAccountLogs } from '@yiqiao/contracts/account-log';
import type { Input } from '@yiqiao/contracts/endpoint';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import type { Clock } from '../../platform/clock.js';
import { downwards, inSteps } from '../../platform/csv-downloads.js';
import { arrayLiteral } from '../rows/array-parameters.js';
import { matchingEntries, type MatchingEntries } from './matching-lines.js';
import { ordinalRange, type Range } from './ordinal-range.js';

/** A condition over account_log. */
export type Condition = { condition: string; parameters: unknown[] };

/** The matches of a filter: a range of dense ordinals, or the numbers of the matching entries, newest first. */
type Matches = { by: 'ordinal'; ordinal: string; range: Range } | ({ by: 'number' } & MatchingEntries);

/** A member's entries that match the filter of the account log, for its page and its download. A range of time includes both ends. */
export class FilteredEntries {
  private constructor(private readonly matches: Matches) {}

  static async of(
    em: EntityManager,
    { userId, filter }: { userId: number; filter: Input<typeof exportAccountLogs> },
    clock: Clock,
  ): Promise<FilteredEntries> {
    const { logType: type, loginIp, clientType } = filter;
    const times = clock.between(filter.createDateTimeBegin, filter.createDateTimeEnd);
    const ofType = type && {
      type,
      ordinals: await ordinalRange(em, userId, { numbering: { of: 'type', type }, ...times }),
    };
    if (loginIp === undefined && clientType === undefined) {
      // Any page of a log of any length, with its exact total, in about twenty index probes.
      if (ofType)
        return new FilteredEntries({
          by: 'ordinal',
          range: ofType.ordinals,
          ordinal: `log_type = ${ENTRY_TYPES[ofType.type].code} AND type_seq`,
        });
      const range = await ordinalRange(em, userId, { numbering: { of: 'entries' }, ...times });
      return new FilteredEntries({ by: 'ordinal', ordinal: 'seq', range });
    }
    // Address and client are in the translation log, so only translations can match; their count is bounded (docs/decisions/0008).
    const lines = await ordinalRange(em, userId, { numbering: { of: 'lines' }, ...times });
    return new FilteredEntries({
      by: 'number',
      ...(await matchingEntries(em, userId, { loginIp, clientType, ...lines, ofType })),
    });
  }

  get total(): number {
    const { matches } = this;
    return matches.by === 'number' ? matches.seqs.length : Math.max(0, matches.range.hi - matches.range.lo + 1);
  }

  /** Whether older entries may match as well: `total` counts only the newest ones. */
  get isBounded(): boolean {
    return this.matches.by === 'number' && this.matches.isBounded;
  }

  /** The entries of one page; null when there are none. */
  page({ pageNum, pageSize }: { pageNum: number; pageSize: number }): Condition | null {
    const { matches } = this;
    const skipped = (pageNum - 1) * pageSize;
    if (skipped >= this.total) return null;
    if (matches.by === 'number') return numbered(matches.seqs.slice(skipped, skipped + pageSize));
    const { lo, hi } = matches.range;
    return between(matches.ordinal, [Math.max(lo, hi - skipped - pageSize + 1), hi - skipped]);
  }

  /** All entries at once; null when there are none, more than `most`, or others that were not counted. */
  all(most: number): Condition | null {
    const { matches, total } = this;
    if (total === 0 || total > most || this.isBounded) return null;
    if (matches.by === 'number') return numbered(matches.seqs);
    return between(matches.ordinal, [matches.range.lo, matches.range.hi]);
  }

  /** All entries, newest first, in the steps of a download. */
  *steps(): Generator<Condition> {
    const { matches } = this;
    if (matches.by === 'number') for (const seqs of inSteps(matches.seqs)) yield numbered(seqs);
    else for (const ends of downwards(matches.range)) yield between(matches.ordinal, ends);
  }
}

const numbered = (seqs: readonly number[]): Condition => ({
  condition: 'seq = ANY (?::bigint[])',
  parameters: [arrayLiteral(seqs)],
});
const between = (ordinal: string, ends: [oldest: number, newest: number]): Condition => ({
  condition: `${ordinal} BETWEEN ? AND ?`,
  parameters: ends,
});
