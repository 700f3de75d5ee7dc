import { hash } from 'node:crypto';
import { closeMessage, type SignedClose } from '@yiqiao/domain/closes';
import type { Quantities, TrialBalanceLine } from '@yiqiao/domain/trial-balance';
import { leafHash } from './merkle-tree.js';

/** Reads by SQL with `?` for its parameters, as an EntityManager does. */
export type Reader = { execute<T>(sql: string, parameters?: unknown[]): Promise<T> };

/** What is signed by its digest alone. `payments`: those received in the close's day, each by id with the first half of its digest. */
export type Books = {
  lines: (TrialBalanceLine & { entries: number | null })[];
  difference: Quantities;
  payments: [id: number, digest: string][];
  /** The head of the action log. */
  actions: { n: number; hash: string } | null;
  /** The digest of `changed`. */
  changed: string;
};

/** A close as stored. `changed`: for each account that changed, its leaf's number (32 bits) and the first 8 bytes of the leaf's hash. */
export type StoredClose = SignedClose & { booksText: string; changed: Buffer; madeAt: Date };

export const sha256 = (content: string | Buffer): string => hash('sha256', content, 'hex');
export const hashOf = (close: SignedClose): string => sha256(closeMessage(close));

const COLUMNS = `n AS number, date::text, cut_at AS "cutAt", entries, accounts, encode(root, 'hex') AS root, books AS "booksText",
  encode(previous, 'hex') AS previous, encode(public_key, 'hex') AS "publicKey", encode(signature, 'hex') AS signature, changed,
  made_at AS "madeAt"`;

/** Closes by an SQL condition and order. */
export async function readCloses(em: Reader, rest: string, parameters: unknown[] = []): Promise<StoredClose[]> {
  type Row = Omit<StoredClose, 'cutAt' | 'books'> & { cutAt: Date };
  const rows = await em.execute<Row[]>(`SELECT ${COLUMNS} FROM ledger_close ${rest}`, parameters);
  return rows.map((row) => ({ ...row, cutAt: row.cutAt.toISOString(), books: sha256(row.booksText) }));
}

/** Without what the operator alone sees. */
export const publicRow = (close: SignedClose): SignedClose & { hash: string } => {
  const { number, date, cutAt, entries, accounts, root, books, previous, publicKey, signature } = close;
  const row = { number, date, cutAt, entries, accounts, root, books, previous, publicKey, signature };
  return { ...row, hash: hashOf(row) };
};

const PIECE = 20_000;
const CONTENT_BYTES = 72;

/** The hashes of the leaves of the tree at a close, as they were stored. */
export async function* leavesAt(em: Reader, { number, accounts }: { number: number; accounts: number }) {
  for (let from = 0; from < accounts; from += PIECE) {
    const [row] = await em.execute<{ contents: Buffer | null }[]>(LEAVES, [
      number,
      from,
      Math.min(accounts, from + PIECE),
    ]);
    const contents = row?.contents ?? Buffer.alloc(0);
    for (let at = 0; at < contents.length; at += CONTENT_BYTES)
      yield leafHash(contents.subarray(at, at + CONTENT_BYTES));
  }
}

const LEAVES = `
SELECT string_agg(c.account_key || int8send(l.seq) || l.head, ''::bytea ORDER BY c.leaf) AS contents
FROM close_account c CROSS JOIN LATERAL (
  SELECT seq, head FROM close_leaf WHERE user_id = c.user_id AND n <= ? ORDER BY n DESC LIMIT 1
) AS l WHERE c.leaf >= ? AND c.leaf < ?`;

const PREFIX_BYTES = 8;
const CHANGED_BYTES = 4 + PREFIX_BYTES;

export function packChanged(leaves: readonly { index: number; hash: Buffer }[]): Buffer {
  const packed = Buffer.alloc(leaves.length * CHANGED_BYTES);
  for (const [i, { index, hash: leaf }] of leaves.entries()) {
    packed.writeUInt32BE(index, i * CHANGED_BYTES);
    leaf.copy(packed, i * CHANGED_BYTES + 4, 0, PREFIX_BYTES);
  }
  return packed;
}

/** The first bytes of each changed leaf's hash, in hex, by the leaf's number. */
export function unpackChanged(packed: Buffer): Map<number, string> {
  const leaves = new Map<number, string>();
  for (let at = 0; at + CHANGED_BYTES <= packed.length; at += CHANGED_BYTES)
    leaves.set(packed.readUInt32BE(at), packed.toString('hex', at + 4, at + CHANGED_BYTES));
  return leaves;
}

export const prefixOf = (leaf: Buffer): string => leaf.toString('hex', 0, PREFIX_BYTES);

/** The payments received in a span of time, each with the digest of what never changes of it. Raw: the entity belongs to orders. */
export async function paymentsIn(em: Reader, from: Date, to: Date): Promise<[id: number, digest: string][]> {
  const rows = await em.execute<{ id: number; digest: string }[]>(
    `SELECT id, left(encode(sha256(convert_to(concat_ws('|', id, gateway, trade_no, order_id, family_id, amount, currency), 'UTF8')), 'hex'), 32) AS digest
     FROM payment WHERE received_at >= ? AND received_at < ? ORDER BY id`,
    [from, to],
  );
  return rows.map(({ id, digest }) => [id, digest]);
}
