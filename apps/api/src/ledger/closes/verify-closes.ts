import { IsolationLevel } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { verifyClose } from '@yiqiao/contracts/operator/closes';
import { FIRST_CLOSE } from '@yiqiao/domain/closes';
import { Refusal } from '@yiqiao/domain/errors';
import { Config } from '../../platform/config.js';
import { CloseKeys, closeSettings, isSigned } from './close-keys.js';
import {
  type Books,
  hashOf,
  paymentsIn,
  prefixOf,
  readCloses,
  sha256,
  type StoredClose,
  unpackChanged,
} from './close-rows.js';
import { leafContent, leafHash, MerkleTree } from './merkle-tree.js';
import { type Copies, copyDifferences, readCopies } from './witness-copies.js';

type Verification = Answer<typeof verifyClose>;
type Difference = Verification['differences'][number];

/** Checks the close of a date, the newest one, or all of them against the ledger as it is now and the copies of the witnesses. */
export class VerifyCloses extends Query<Verification & { closes: number }> {
  constructor(readonly which: { date?: string | undefined } | 'all') {
    super();
  }
}

/** Differences reported at most. */
const MOST = 100;

@QueryHandler(VerifyCloses)
export class VerifyClosesHandler implements IQueryHandler<VerifyCloses> {
  constructor(
    private readonly em: EntityManager,
    private readonly keys: CloseKeys,
    private readonly config: Config,
  ) {}

  async execute({ which }: VerifyCloses): Promise<Verification & { closes: number }> {
    const copies = await readCopies(this.config.read(closeSettings).CLOSE_ANCHOR_URLS);
    return this.em.fork().transactional((em) => this.#verify(em, which, copies), {
      isolationLevel: IsolationLevel.REPEATABLE_READ,
      readOnly: true,
    });
  }

  async #verify(em: EntityManager, which: VerifyCloses['which'], copies: readonly Copies[]) {
    await em.execute(`SET LOCAL statement_timeout = '300s'; SET LOCAL idle_in_transaction_session_timeout = '300s'`);
    const closes = await readCloses(em, 'ORDER BY n');
    const chosen = which === 'all' ? closes : closes.filter(({ date }) => date === (which.date ?? closes.at(-1)?.date));
    const [last] = chosen.slice(-1);
    if (!last && which !== 'all') throw new Refusal('NOT_FOUND');
    const differences: Difference[] = copyDifferences(closes, chosen, copies, await anchored(em));
    for (const close of chosen) {
      const before = closes.find(({ number }) => number === close.number - 1);
      differences.push(...this.#line(close, before));
      differences.push(...(await booksDifferences(em, close, before)));
    }
    const roots = which === 'all' ? await everyRoot(em, closes) : last ? await oneRoot(em, last, closes) : [];
    // An account explains more than the line that it is in.
    const all = [...roots, ...differences];
    return {
      whole: all.length === 0,
      date: last?.date ?? '',
      closes: chosen.length,
      accounts: last?.accounts ?? 0,
      witnesses: copies.filter(({ closes: answered }) => answered !== null).length,
      unanswered: copies.filter(({ closes: answered }) => answered === null).map(({ witness }) => witness),
      differences: all.slice(0, MOST),
    };
  }

  /** The line by itself: signature, key, and that it names the one before. */
  #line(close: StoredClose, before: StoredClose | undefined): Difference[] {
    const found: Difference[] = [];
    if (!isSigned(close)) found.push(ofClose(close, 'signature', 'that of the key', close.signature));
    if (this.keys.knows(close.publicKey) === false)
      found.push(ofClose(close, 'public key', 'a configured one', close.publicKey));
    const previous = before ? hashOf(before) : close.number === 1 ? FIRST_CLOSE : 'a close before';
    if (close.previous !== previous) found.push(ofClose(close, 'previous', previous, close.previous));
    if (sha256(close.changed) !== booksOf(close)?.changed)
      found.push(ofClose(close, 'changed leaves', booksOf(close)?.changed ?? 'books', sha256(close.changed)));
    return found;
  }
}

export const ofClose = ({ date }: { date: string }, what: string, expected: string, found: string): Difference => ({
  account: null,
  seq: null,
  what: `${date}: ${what}`,
  expected,
  found,
});

function booksOf({ booksText }: StoredClose): Books | null {
  try {
    return JSON.parse(booksText) as Books;
  } catch {
    return null;
  }
}

/** What was signed by its digest: the payments of the day, and the head of the action log. */
async function booksDifferences(
  em: EntityManager,
  close: StoredClose,
  before: StoredClose | undefined,
): Promise<Difference[]> {
  const books = booksOf(close);
  if (!books) return [ofClose(close, 'books', 'a JSON text', close.booksText.slice(0, 100))];
  const found: Difference[] = [];
  const signed = new Map(books.payments);
  const stored = new Map(await paymentsIn(em, new Date(before?.cutAt ?? 0), new Date(close.cutAt)));
  for (const id of new Set([...signed.keys(), ...stored.keys()]))
    if (signed.get(id) !== stored.get(id))
      found.push(ofClose(close, `payment ${id}`, signed.get(id) ?? 'none', stored.get(id) ?? 'none'));
  if (books.actions) {
    const { n, hash } = books.actions;
    const [row] = await em.execute<{ hash: string }[]>(
      `SELECT encode(hash, 'hex') AS hash FROM operator_action WHERE n = ?`,
      [n],
    );
    if (row?.hash !== hash) found.push(ofClose(close, `action ${n}`, hash, row?.hash ?? 'none'));
  }
  return found;
}

type Leaf = { leaf: number; userId: number; key: Buffer; seq: number; head: Buffer; now: Buffer | null };

/** The leaves of one close with the hashes that the ledger has now. */
const leavesOf = (em: EntityManager, n: number): Promise<Leaf[]> => em.execute<Leaf[]>(LEAVES_OF, [n]);

const LEAVES_OF = `
SELECT c.leaf, c.user_id AS "userId", c.account_key AS key, l.seq, l.head, e.hash AS now
FROM close_leaf l JOIN close_account c ON c.user_id = l.user_id LEFT JOIN account_log e ON e.user_id = l.user_id AND e.seq = l.seq
WHERE l.n = ? ORDER BY c.leaf`;

const GONE = Buffer.alloc(32);
const hashNow = ({ key, seq, now }: Leaf): Buffer => leafHash(leafContent(key, seq, now ?? GONE));

/** Compares the accounts that changed in a close with what was signed of each. */
function accountDifferences(close: StoredClose, leaves: readonly Leaf[]): Difference[] {
  const signed = unpackChanged(close.changed);
  const found: Difference[] = [];
  for (const one of leaves) {
    const expected = signed.get(one.leaf);
    signed.delete(one.leaf);
    if (prefixOf(hashNow(one)) === expected) continue;
    const wasStored = prefixOf(leafHash(leafContent(one.key, one.seq, one.head))) === expected;
    const text = wasStored ? one.head.toString('hex') : `that of leaf ${expected ?? 'none'}…`;
    const [account, seq] = [one.userId, one.seq];
    found.push({ ...ofClose(close, 'hash of the entry', text, one.now?.toString('hex') ?? 'none'), account, seq });
  }
  for (const [leaf, expected] of signed) found.push(ofClose(close, `account of leaf ${leaf}`, `${expected}…`, 'none'));
  return found;
}

const rootDifference = (close: StoredClose, tree: MerkleTree): Difference[] => [
  ...(tree.size === close.accounts ? [] : [ofClose(close, 'accounts', String(close.accounts), String(tree.size))]),
  ...(tree.root.toString('hex') === close.root ? [] : [ofClose(close, 'root', close.root, tree.root.toString('hex'))]),
];

/** Rebuilds the tree close by close. An account that differs is named once, and its later roots with it. */
async function everyRoot(em: EntityManager, closes: readonly StoredClose[]): Promise<Difference[]> {
  const tree = new MerkleTree();
  const found: Difference[] = [];
  for (const close of closes) {
    const leaves = await leavesOf(em, close.number);
    for (const one of leaves) {
      while (tree.size < one.leaf) tree.set(tree.size, GONE);
      tree.set(one.leaf, hashNow(one));
    }
    found.push(...accountDifferences(close, leaves));
    if (found.length === 0) found.push(...rootDifference(close, tree));
    if (found.length >= MOST) break;
  }
  return found;
}

/** Rebuilds the tree at one close. If its root differs, the earlier closes tell which account. */
async function oneRoot(em: EntityManager, close: StoredClose, closes: readonly StoredClose[]): Promise<Difference[]> {
  const tree = new MerkleTree();
  for (let from = 0; from < close.accounts; from += PIECE) {
    const leaves = await em.execute<Leaf[]>(LEAVES_AT, [close.number, from, Math.min(close.accounts, from + PIECE)]);
    for (const one of leaves) {
      while (tree.size < one.leaf) tree.set(tree.size, GONE);
      tree.set(one.leaf, hashNow(one));
    }
  }
  const root = rootDifference(close, tree);
  if (root.length === 0) return [];
  for (const earlier of closes.filter(({ number }) => number <= close.number)) {
    const found = accountDifferences(earlier, await leavesOf(em, earlier.number));
    if (found.length > 0) return found;
  }
  return root;
}

const PIECE = 20_000;
const LEAVES_AT = `
SELECT c.leaf, c.user_id AS "userId", c.account_key AS key, l.seq, l.head, e.hash AS now
FROM close_account c CROSS JOIN LATERAL (
  SELECT seq, head FROM close_leaf WHERE user_id = c.user_id AND n <= ? ORDER BY n DESC LIMIT 1
) AS l LEFT JOIN account_log e ON e.user_id = c.user_id AND e.seq = l.seq
WHERE c.leaf >= ? AND c.leaf < ? ORDER BY c.leaf`;

/** The closes that each witness has accepted, as recorded here. */
async function anchored(em: EntityManager): Promise<ReadonlySet<string>> {
  const rows = await em.execute<{ n: number; witness: string }[]>(
    'SELECT n, witness FROM close_anchor WHERE anchored_at IS NOT NULL',
  );
  return new Set(rows.map(({ n, witness }) => `${n} ${witness}`));
}
