import type { EntityManager } from '@mikro-orm/postgresql';
import { QUOTA_MAX } from '@yiqiao/domain/limits';
import type { LockedAccount } from '../rows/account-rows.js';
import { listOf } from '../rows/columns.js';
import type { Posting } from './posting.js';

type StoredHold = { id: string; charNum: number; released: boolean };

/**
 * What translations under way keep reserved in locked accounts, and what a command makes of it. A hold that the sweep gave back may
 * still be settled by whoever comes late: it reserves nothing, but what it would cost is converted like the others.
 */
export class OpenHolds {
  readonly #byUser = new Map<number, StoredHold[]>();
  readonly #changed = new Map<string, number>();

  private constructor(private readonly em: EntityManager) {}

  /** Reads, oldest first, the holds that `postings` convert. */
  static async of(
    em: EntityManager,
    accounts: ReadonlyMap<number, LockedAccount>,
    postings: readonly Posting[],
  ): Promise<OpenHolds> {
    const holds = new OpenHolds(em);
    const converting = postings.filter(({ convertHolds }) => convertHolds).map(({ userId }) => userId);
    if (converting.length === 0) return holds;
    const holding = converting.filter((userId) => (accounts.get(userId)?.held.charNum ?? 0) > 0);
    const rows = await em.execute<{ id: string; user_id: number; char_num: number; released: boolean }[]>(READ, [
      ...[listOf(holding), listOf(converting)],
    ]);
    for (const [userId, list] of Map.groupBy(rows, (row) => Number(row.user_id)))
      holds.#byUser.set(
        userId,
        list.map(({ id, char_num: charNum, released }) => ({ id, charNum: Number(charNum), released })),
      );
    return holds;
  }

  /** What the account holds becomes what its posting makes of it. */
  convert(account: LockedAccount, posting: Posting): void {
    const { convertHolds } = posting;
    const holds = this.#byUser.get(account.userId);
    if (!holds || !convertHolds) return;
    const open = holds.filter((hold) => !hold.released);
    const late = holds.filter((hold) => hold.released);
    const charNum = account.state.charNum + (posting.movement.charChange ?? 0);
    const charNums = (list: readonly StoredHold[]): number[] => list.map((hold) => hold.charNum);
    this.#change(open, convertHolds(charNums(open), charNum));
    this.#change(late, convertHolds(charNums(late), QUOTA_MAX));
    account.held.charNum = charNums(open).reduce((sum, n) => sum + n, 0);
  }

  #change(holds: readonly StoredHold[], converted: readonly number[]): void {
    for (const [i, hold] of holds.entries()) {
      hold.charNum = converted[i] ?? hold.charNum;
      this.#changed.set(hold.id, hold.charNum);
    }
  }

  async save(): Promise<void> {
    if (this.#changed.size === 0) return;
    await this.em.execute(CONVERT, [listOf(this.#changed.keys()), listOf(this.#changed.values())]);
  }
}

/**
 * Gives back everything that is reserved in these accounts, because nobody will settle it; answers those that held something. Also
 * holds of nothing (text in time mode) end: what is closed is not charged later. Whoever's holds change has its row written, which is
 * how the lanes notice.
 */
export async function releaseHolds(em: EntityManager, accounts: readonly LockedAccount[]): Promise<LockedAccount[]> {
  if (accounts.length === 0) return [];
  const rows = await em.execute<{ user_id: number }[]>(RELEASE, [listOf(accounts.map((account) => account.userId))]);
  const released = new Set(rows.map((row) => Number(row.user_id)));
  const holding = accounts.filter((account) => released.has(account.userId));
  for (const { held } of holding) Object.assign(held, { charNum: 0, voiceNum: 0, imageNum: 0 });
  return holding;
}

/** A result that comes later than this after its hold was given back is nobody's: requests end after a minute (decisions §7). */
const LATE = '1 hour';

const READ = `
SELECT id, user_id, char_num, false AS released, created_at FROM ledger_hold
WHERE released_at IS NULL AND user_id = ANY (?::bigint[])
UNION ALL
SELECT id, user_id, char_num, true, created_at FROM ledger_hold
WHERE released_at > now() - interval '${LATE}' AND char_num > 0 AND user_id = ANY (?::bigint[])
ORDER BY user_id, created_at, id`;

const CONVERT = `
UPDATE ledger_hold h SET char_num = d.char_num FROM unnest(?::uuid[], ?::bigint[]) AS d (id, char_num) WHERE h.id = d.id`;

const RELEASE = `UPDATE ledger_hold SET released_at = now() WHERE released_at IS NULL AND user_id = ANY (?::bigint[])
RETURNING user_id`;
