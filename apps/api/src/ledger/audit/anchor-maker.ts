import type pg from 'pg';
import type { Signing } from '../closes/close-keys.js';
import { MerkleTree } from '../closes/merkle-tree.js';
import { anchorLeaf, type AnchoringClose, batchText, dateOf, type ReplayState } from './anchors.js';

/** Anchors that share a signature: ten nodes lead from each to their root. */
const TOGETHER = 1_024;

/** `also`: what an archive repeats of the state. */
const insertInto = (table: string, also: readonly string[]): string => {
  const columns = ['seq', 'usage_seq', 'usage_day', ...also, 'state'];
  return `
WITH made AS (
  INSERT INTO anchor_batch (close_n, close_hash, time_zone, size, root, public_key, signature)
  VALUES ($1, decode($2, 'hex'), $3, $4, decode($5, 'hex'), decode($6, 'hex'), decode($7, 'hex')) RETURNING id
)
INSERT INTO ${table} (user_id, ${columns.join(', ')}, batch, place, path)
SELECT d.user_id, ${columns.map((name) => `d.${name}`).join(', ')}, made.id, d.place, decode(d.path, 'hex')
FROM made, jsonb_to_recordset($8::jsonb) AS d (user_id bigint, seq bigint, usage_seq bigint, usage_day date, at timestamptz,
  type_seqs bigint[], state text, place int, path text)
ON CONFLICT (user_id) DO UPDATE SET ${[...columns, 'batch', 'place', 'path'].map((name) => `${name} = excluded.${name}`).join(', ')}`;
};
const INSERT = {
  account_anchor: insertInto('account_anchor', []),
  account_archive: insertInto('account_archive', ['at', 'type_seqs']),
};

/** Stores the anchors of accounts that an audit has found whole, and signs them by batches. */
export class AnchorMaker {
  readonly #made = new Set<number>();
  #waiting: { userId: number; state: ReplayState; text: string }[] = [];

  /** `pool` may write anchors; `close`: the one in which their entries are leaves. */
  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly of: { close: AnchoringClose; timeZone: string; signing: Signing },
    private readonly table: keyof typeof INSERT = 'account_anchor',
  ) {}

  get made(): number {
    return this.#made.size;
  }

  async add(userId: number, state: ReplayState): Promise<void> {
    this.#waiting.push({ userId, state, text: JSON.stringify(state) });
    if (this.#waiting.length >= TOGETHER) await this.flush();
  }

  async flush(): Promise<void> {
    const anchors = this.#waiting;
    if (anchors.length === 0) return;
    this.#waiting = [];
    const { close, timeZone, signing } = this.of;
    const tree = new MerkleTree(anchors.map(({ userId, text }) => anchorLeaf(userId, text)));
    const { publicKey } = signing;
    const root = tree.root.toString('hex');
    const batch = { close: close.number, closeHash: close.hash, timeZone, size: tree.size, root, publicKey };
    const rows = anchors.map(({ userId, state: { entries, lines, usage }, text }, place) => ({
      user_id: userId,
      seq: entries.account.seq,
      usage_seq: lines.seq,
      usage_day: dateOf(usage.day),
      at: new Date(entries.at).toISOString(),
      type_seqs: entries.typeSeqs,
      state: text,
      place,
      path: Buffer.concat(tree.path(place)).toString('hex'),
    }));
    await this.pool.query(INSERT[this.table], [
      ...[batch.close, batch.closeHash, timeZone, batch.size, root, publicKey, signing.sign(batchText(batch))],
      JSON.stringify(rows),
    ]);
    for (const { userId } of anchors) this.#made.add(userId);
  }

  /** Takes back what was made of accounts in which something was found after their replay: they are read from their first entry again. */
  async withdraw(userIds: ReadonlySet<number>): Promise<void> {
    const some = [...userIds].filter((userId) => this.#made.delete(userId));
    if (some.length > 0) await this.pool.query('DELETE FROM account_anchor WHERE user_id = ANY ($1)', [some]);
  }
}
