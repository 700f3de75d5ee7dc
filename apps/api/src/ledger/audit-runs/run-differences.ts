import type pg from 'pg';
import { appendAction } from '../../platform/action-chain.js';
import { type Finding, FINDINGS_DEFAULT, type LedgerDifference } from '../audit/audit.js';
import { setReadOnly } from './read-only.js';
import { transactional } from './transactional.js';

/** The parts of the families that the console draws. */
const ARCHES = 24;

/** The differences of a run: how they are stored, and what they stop. */
export class RunDifferences {
  /** The families that this process has made read-only, or found so. */
  readonly closed = new Set<number>();

  constructor(
    private readonly pool: pg.Pool,
    private readonly runId: number,
  ) {}

  /**
   * Makes the families that are named read-only, each in a transaction of its own, which locks only its accounts, and returns the
   * differences as they are stored. `families`: how many there are in a run over all.
   */
  async record(findings: readonly Finding[], families: number | null): Promise<object[]> {
    const some = findings.slice(0, FINDINGS_DEFAULT);
    const all = some.flatMap((finding) => [finding, ...finding.consequences]);
    if (all.length === 0) return [];
    const named = await familiesOf(this.pool, [...new Set(all.map(({ userId }) => userId))]);
    for (const difference of all)
      for (const { familyId } of named.get(difference.userId) ?? []) await this.#close(familyId, difference);
    return some.map(({ consequences, ...finding }) => {
      const [family] = named.get(finding.userId) ?? [];
      return {
        ...wordsOf(finding),
        family: family?.familyId ?? null,
        arch: family && families !== null ? archOf(family.ordinal, families) : null,
        consequences: consequences.map(wordsOf),
      };
    });
  }

  async #close(familyId: number, difference: LedgerDifference): Promise<void> {
    if (this.closed.has(familyId)) return;
    await transactional(this.pool, async (execute) => {
      if (!(await setReadOnly(execute, { familyId, runId: this.runId, difference }))) return;
      const target = { kind: 'family', id: String(familyId) };
      const after = { audit: this.runId, ...wordsOf(difference) };
      await appendAction(execute, { actor: 'system' }, { action: 'readOnly.set', target, after, at: new Date() });
    });
    this.closed.add(familyId);
  }
}

const archOf = (ordinal: number, families: number): number =>
  Math.min(ARCHES - 1, Math.floor(((ordinal - 1) * ARCHES) / Math.max(1, families)));

const wordsOf = ({ userId: account, seq, field: what, expected, found }: LedgerDifference) => ({
  account,
  seq,
  what,
  expected: String(expected),
  found: String(found),
});

type Family = { userId: number; familyId: number; ordinal: number };

/** The families of accounts, also of those whose row is missing; `ordinal`: their place among all families, by id. */
async function familiesOf(pool: pg.Pool, userIds: number[]): Promise<Map<number, Family[]>> {
  const { rows } = await pool.query<Record<'user_id' | 'family_id' | 'ordinal', string>>(
    `SELECT user_id, family_id, (SELECT count(*) FROM member_account m WHERE m.user_id = m.family_id AND m.user_id <= f.family_id) AS ordinal
     FROM (SELECT user_id, family_id FROM member_account WHERE user_id = ANY ($1)
       UNION SELECT id, family_id FROM member WHERE id = ANY ($1)) AS f`,
    [userIds],
  );
  const families = rows.map((row) => ({
    userId: Number(row.user_id),
    familyId: Number(row.family_id),
    ordinal: Math.max(1, Number(row.ordinal)),
  }));
  return Map.groupBy(families, ({ userId }) => userId);
}
