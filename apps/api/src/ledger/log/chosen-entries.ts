import type { EntityManager } from '@mikro-orm/postgresql';
import type { exportAccountLogs } from '@yiqiao/contracts/account-log';
import type { Input } from '@yiqiao/contracts/endpoint';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import type { Clock } from '../../platform/clock.js';
import { downwards, inSteps } from '../../platform/csv-downloads.js';
import { listOf } from '../rows/columns.js';
import { matchingEntries } from './matching-lines.js';
import { ordinalRange, type Range } from './ordinal-range.js';

/** A condition over account_log that chooses some of a member's entries. */
export type Condition = { condition: string; parameters: unknown[] };

/** The entries of a member that a filter names: dense ordinals, or the numbers of those that were looked up, newest first. */
type Chosen = { by: 'ordinal'; ordinal: string; range: Range } | { by: 'number'; seqs: readonly number[] };

/** What the page and the download of the account log show, chosen in one place; a range of time includes both of its ends. */
export class ChosenEntries {
  private constructor(private readonly chosen: Chosen) {}

  static async of(
    em: EntityManager,
    { userId, filter }: { userId: number; filter: Input<typeof exportAccountLogs> },
    clock: Clock,
  ): Promise<ChosenEntries> {
    const { logType: type, loginIp, clientType } = filter;
    const times = clock.between(filter.createDateTimeBegin, filter.createDateTimeEnd);
    const ofType = type && {
      type,
      ordinals: await ordinalRange(em, userId, { numbering: { of: 'type', type }, ...times }),
    };
    if (loginIp === undefined && clientType === undefined) {
      // Any page of any length of log with its exact total in about twenty index probes.
      if (ofType)
        return new ChosenEntries({
          ...{ by: 'ordinal', range: ofType.ordinals },
          ordinal: `log_type = ${ENTRY_TYPES[ofType.type].code} AND type_seq`,
        });
      const range = await ordinalRange(em, userId, { numbering: { of: 'entries' }, ...times });
      return new ChosenEntries({ by: 'ordinal', ordinal: 'seq', range });
    }
    // Address and client stand in the translation log: only what was translated can match, counted to a bound (docs/decisions/0008).
    const lines = await ordinalRange(em, userId, { numbering: { of: 'lines' }, ...times });
    return new ChosenEntries({
      ...{ by: 'number', seqs: await matchingEntries(em, userId, { loginIp, clientType, ...lines, ofType }) },
    });
  }

  get total(): number {
    const { chosen } = this;
    return chosen.by === 'number' ? chosen.seqs.length : Math.max(0, chosen.range.hi - chosen.range.lo + 1);
  }

  /** The entries of one page; null when there are none. */
  page({ pageNum, pageSize }: { pageNum: number; pageSize: number }): Condition | null {
    const { chosen } = this;
    const skipped = (pageNum - 1) * pageSize;
    if (skipped >= this.total) return null;
    if (chosen.by === 'number') return numbered(chosen.seqs.slice(skipped, skipped + pageSize));
    const { lo, hi } = chosen.range;
    return between(chosen.ordinal, [Math.max(lo, hi - skipped - pageSize + 1), hi - skipped]);
  }

  /** All of them, newest first, in the steps of a download. */
  *steps(): Generator<Condition> {
    const { chosen } = this;
    if (chosen.by === 'number') for (const seqs of inSteps(chosen.seqs)) yield numbered(seqs);
    else for (const ends of downwards(chosen.range)) yield between(chosen.ordinal, ends);
  }
}

const numbered = (seqs: readonly number[]): Condition => ({
  ...{ condition: 'seq = ANY (?::bigint[])', parameters: [listOf(seqs)] },
});
const between = (ordinal: string, ends: [oldest: number, newest: number]): Condition => ({
  ...{ condition: `${ordinal} BETWEEN ? AND ?`, parameters: ends },
});
