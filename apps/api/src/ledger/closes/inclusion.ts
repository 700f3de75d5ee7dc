import { type Reader, leavesAt, publicRow, readCloses, type StoredClose } from './close-rows.js';
import { MerkleTree } from './merkle-tree.js';

/** An account in the two newest closes, oldest first: what an export holds and docs/verify.html checks. */
export type Inclusion = {
  accountKey: string | null;
  /** `leaf`: its place among `accounts`, the number of its last entry then, and its path; null if it had no entry yet. */
  closes: (ReturnType<typeof publicRow> & { leaf: { index: number; seq: number; path: string[] } | null })[];
};

export async function inclusionOf(db: Reader, userId: number): Promise<Inclusion> {
  const [account] = await db.execute<{ leaf: string; key: string }[]>(
    `SELECT leaf, encode(account_key, 'hex') AS key FROM close_account WHERE user_id = ?`,
    [userId],
  );
  const closes = await readCloses(db, 'ORDER BY n DESC LIMIT 2');
  const included: Inclusion['closes'] = [];
  for (const close of closes.toReversed().map(numeric)) {
    const [last] = await db.execute<{ seq: string }[]>(
      'SELECT seq FROM close_leaf WHERE user_id = ? AND n <= ? ORDER BY n DESC LIMIT 1',
      [userId, close.number],
    );
    const index = Number(account?.leaf);
    const leaf = last ? { index, seq: Number(last.seq), path: await pathAt(db, close, index) } : null;
    included.push({ ...publicRow(close), leaf });
  }
  return { accountKey: account?.key ?? null, closes: included };
}

async function pathAt(db: Reader, close: StoredClose, index: number): Promise<string[]> {
  const leaves: Buffer[] = [];
  for await (const leaf of leavesAt(db, close)) leaves.push(leaf);
  return new MerkleTree(leaves).path(index).map((node) => node.toString('hex'));
}

/** Connections of the ledger commands answer 64-bit integers as texts. */
const numeric = (close: StoredClose): StoredClose => ({
  ...close,
  number: Number(close.number),
  entries: Number(close.entries),
  accounts: Number(close.accounts),
});
