import type { EntityManager } from '@mikro-orm/postgresql';
import type { LockedAccount } from '../rows/account-rows.js';
import { listOf } from '../rows/columns.js';
import type { Posting } from './posting.js';

/** What translations under way keep reserved in locked accounts, and what a command makes of it. */
export class OpenHolds {
  readonly #byUser = new Map<number, { id: string; charNum: number }[]>();
  readonly #changed = new Map<string, number>();

  private constructor(private readonly em: EntityManager) {}

  /** Reads, oldest first, the holds that `postings` convert. */
  static async of(
    em: EntityManager,
    accounts: ReadonlyMap<number, LockedAccount>,
    postings: readonly Posting[],
  ): Promise<OpenHolds> {
    const holds = new OpenHolds(em);
    const holding = postings
      .filter(({ userId, convertHolds }) => convertHolds && (accounts.get(userId)?.held.charNum ?? 0) > 0)
      .map(({ userId }) => userId);
    if (holding.length === 0) return holds;
    const rows = await em.execute<{ id: string; user_id: number; char_num: number }[]>(READ, [listOf(holding)]);
    for (const [userId, list] of Map.groupBy(rows, (row) => Number(row.user_id)))
      holds.#byUser.set(
        userId,
        list.map((row) => ({ id: row.id, charNum: Number(row.char_num) })),
      );
    return holds;
  }

  /** What the account holds becomes what its posting makes of it. */
  convert(account: LockedAccount, posting: Posting): void {
    const open = this.#byUser.get(account.userId);
    if (!open || !posting.convertHolds) return;
    const charNum = account.state.charNum + (posting.movement.charChange ?? 0);
    const converted = posting.convertHolds(
      open.map((hold) => hold.charNum),
      charNum,
    );
    account.held.charNum = 0;
    for (const [i, hold] of open.entries()) {
      hold.charNum = converted[i] ?? hold.charNum;
      account.held.charNum += hold.charNum;
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

const READ = `
SELECT id, user_id, char_num FROM ledger_hold WHERE released_at IS NULL AND user_id = ANY (?::bigint[])
ORDER BY user_id, created_at, id`;

const CONVERT = `
UPDATE ledger_hold h SET char_num = d.char_num FROM unnest(?::uuid[], ?::bigint[]) AS d (id, char_num) WHERE h.id = d.id`;

const RELEASE = `UPDATE ledger_hold SET released_at = now() WHERE released_at IS NULL AND user_id = ANY (?::bigint[])
RETURNING user_id`;
