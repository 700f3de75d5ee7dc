import type { SignedClose } from '@yiqiao/domain/closes';
import type { Difference } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import { type CloseKeys, isSigned, isSignedText } from '../closes/close-keys.js';
import { hashOf } from '../closes/close-rows.js';
import { rootOf } from '../closes/merkle-tree.js';
import { anchorLeaf, type AnchoringClose, batchText, dateOf, type ReplayState, type SignedBatch } from './anchors.js';
import { within, type Scope } from './audit-rows.js';
import { CopyRows } from './copy-rows.js';
import { differ } from './entry-replay.js';
import { about, type Findings } from './findings.js';

const NODE_BYTES = 32;

/** `unused`, `unusedArchives`: accounts that have an anchor, or one of an archive, with which an audit must not begin. */
export type VerifiedAnchors = {
  unused: readonly number[];
  unusedArchives: readonly number[];
  newest: AnchoringClose | null;
};

/** `keys`: what batches may be signed with; without any no anchor is used. */
export type AnchorTrust = { keys: Pick<CloseKeys, 'knows'>; timeZone: string };

type Row = Record<keyof SignedBatch | 'id', string>;

const BATCHES = `
SELECT id, close_n AS close, encode(close_hash, 'hex') AS "closeHash", time_zone AS "timeZone", size, encode(root, 'hex') AS root,
  encode(public_key, 'hex') AS "publicKey", encode(signature, 'hex') AS signature FROM anchor_batch`;

type What = 'anchor' | 'archive';
/** `repeated`: what a table repeats of the state beside the columns of both, in SQL; `of` is the same from the state. */
const TABLES: Record<What, { table: string; repeated: string; of: (state: ReplayState) => string }> = {
  anchor: { table: 'account_anchor', repeated: `''`, of: () => '' },
  archive: {
    table: 'account_archive',
    repeated: `(date_part('epoch', n.at) * 1000)::bigint || ' ' || array_to_string(n.type_seqs, ' ')`,
    of: ({ entries: { at, typeSeqs } }) => [at, ...typeSeqs].join(' '),
  },
};

const anchorsOf = (what: What, scope: Scope): string => `
SELECT n.user_id, n.seq, n.usage_seq, coalesce(n.usage_day::text, ''), n.state, n.batch, n.place, n.path, (a.user_id IS NULL)::int,
  ${TABLES[what].repeated}
FROM ${TABLES[what].table} n LEFT JOIN member_account a ON a.user_id = n.user_id WHERE ${within(scope, 'n.user_id')} ORDER BY n.user_id`;

/**
 * Checks every anchor of `scope` against the signature of its batch, and each batch against its key and the close that it is bound to. An
 * altered anchor is a difference of its account; an altered batch or close is one of the database.
 */
export async function verifyAnchors(
  client: pg.ClientBase,
  scope: Scope,
  { trust, findings }: { trust: AnchorTrust; findings: Findings },
): Promise<VerifiedAnchors> {
  const closes = await closesOf(client, trust.keys);
  const { rows } = await client.query<Row>(BATCHES);
  const batches = new Map(rows.map((row) => [Number(row.id), new BatchCheck(batchOf(row), closes.hashes, trust)]));
  const unused: Record<What, number[]> = { anchor: [], archive: [] };
  let contradicted = false;
  for (const what of ['anchor', 'archive'] as const) {
    const anchors = await CopyRows.of(client, anchorsOf(what, scope), 10);
    for (; anchors.live; anchors.next() || (await anchors.fill())) {
      const [userId, seq, id] = [anchors.int(0), anchors.int(1), anchors.int(5)];
      const difference = { userId, seq, field: what, expected: 'as it was signed', found: 'altered' };
      const batch = batches.get(id);
      if (anchors.int(8) === 1)
        findings.add({ ...difference, field: `account of the ${what}`, expected: 'a row', found: 'none' }, [
          about.missing(userId),
        ]);
      const verdict = batch?.verdict ?? NO_BATCH;
      if (verdict.field !== null) {
        const { field, expected, found } = verdict;
        contradicted ||= verdict.ofClose;
        findings.add({ userId: 0, seq: null, field: `anchors ${id}: ${field}`, expected, found }, [`anchors ${id}`]);
      }
      const same = batch !== undefined && batch.includes(anchors, { userId, what });
      // Of a batch that is not signed nothing follows about an account.
      if (!same && verdict.usable) {
        // Then the log seems to lack what is in cold files.
        const gone = what === 'archive' ? [about.missing(userId), about.broken(userId)] : [];
        findings.add(difference, [`${what} ${userId}`, ...gone]);
      }
      const zone = what === 'archive' && same ? batch.zoneDifference : null;
      if (zone) findings.add({ userId, seq, ...zone }, [`archive ${userId}`]);
      // Without the entries of an archive nothing but its anchor is left to begin with; that it is not proven was reported.
      if (!same || (!verdict.usable && what === 'anchor')) unused[what].push(userId);
    }
  }
  if (!scope.userIds) await findClosedAccounts(client, findings);
  // Anchors that contradict a close are evidence: none takes their place.
  return { unused: unused.anchor, unusedArchives: unused.archive, newest: contradicted ? null : closes.newest };
}

/** Accounts of which nothing is left but their place in the closes. */
async function findClosedAccounts(client: pg.ClientBase, findings: Findings): Promise<void> {
  const gone = await CopyRows.of(
    client,
    `SELECT c.user_id FROM close_account c LEFT JOIN member_account a ON a.user_id = c.user_id WHERE a.user_id IS NULL`,
    1,
  );
  for (; gone.live; gone.next() || (await gone.fill())) {
    const userId = gone.int(0);
    const difference = { userId, seq: null, field: 'account in the closes', expected: 'a row', found: 'none' };
    findings.add(difference, [about.missing(userId)]);
  }
}

const NO_BATCH: Verdict = { usable: false, field: 'signature', expected: 'a row', found: 'none', ofClose: false };

const batchOf = (row: Row): SignedBatch => ({ ...row, close: Number(row.close), size: Number(row.size) });

type Wrong = { usable: false; field: string; expected: string; found: string; ofClose: boolean };
type Verdict = { usable: boolean; field: null } | Wrong;

class BatchCheck {
  #verdict: Verdict | undefined;

  constructor(
    private readonly batch: SignedBatch,
    private readonly closes: ReadonlyMap<number, string>,
    private readonly trust: AnchorTrust,
  ) {}

  /** Judged once, when the first of its anchors is read: a batch without any proves nothing and harms nobody. */
  get verdict(): Verdict {
    return (this.#verdict ??= this.#judge());
  }

  #judge(): Verdict {
    const { batch, trust } = this;
    const known = trust.keys.knows(batch.publicKey);
    const wrong = (field: string, expected: string, found: string): Wrong => ({
      usable: false,
      ofClose: false,
      field,
      expected,
      found,
    });
    if (known === false) return wrong('public key', 'a configured one', batch.publicKey);
    if (!isSignedText(batchText(batch), batch)) return wrong('signature', 'that of the key', batch.signature);
    const close = this.closes.get(batch.close) ?? 'none';
    if (close !== batch.closeHash)
      return { ...wrong(`close ${batch.close}: hash`, batch.closeHash, close), ofClose: true };
    return { usable: known === true && batch.timeZone === trust.timeZone, field: null };
  }

  /** The days of usage in its states are of another time zone. */
  get zoneDifference(): Difference | null {
    return differ('archive: time zone', this.trust.timeZone, this.batch.timeZone);
  }

  /** Whether the anchor under the cursor is what was signed. The columns beside its state repeat a part of it. */
  includes(rows: CopyRows, { userId, what }: { userId: number; what: What }): boolean {
    const { size, root } = this.batch;
    const [text, index] = [rows.text(4), rows.int(6)];
    const nodes = rows.hex(7).match(/.{64}/g) ?? [];
    if (rows.lengthOf(7) !== nodes.length * NODE_BYTES) return false;
    const path = nodes.map((node) => Buffer.from(node, 'hex'));
    if (rootOf(anchorLeaf(userId, text), { index, size }, path)?.toString('hex') !== root) return false;
    const state = JSON.parse(text) as ReplayState;
    const { entries, lines, usage } = state;
    const beside = [lines.seq, dateOf(usage.day) ?? '', TABLES[what].of(state)];
    return (
      entries.account.seq === rows.int(1) && beside.join('|') === [rows.int(2), rows.text(3), rows.text(9)].join('|')
    );
  }
}

// Without the books and the list of leaves, which are large.
const CLOSES = `
SELECT n AS number, date::text, cut_at AS "cutAt", entries, accounts, encode(root, 'hex') AS root,
  encode(sha256(convert_to(books, 'UTF8')), 'hex') AS books, encode(previous, 'hex') AS previous, encode(public_key, 'hex') AS "publicKey",
  encode(signature, 'hex') AS signature
FROM ledger_close ORDER BY n`;

/** The newest close, if it may be relied on. */
export const newestClose = async (
  client: pg.ClientBase,
  keys: Pick<CloseKeys, 'knows'>,
): Promise<AnchoringClose | null> => (await closesOf(client, keys)).newest;

/** The hashes of all closes, and the newest one if it may be relied on. */
async function closesOf(
  client: pg.ClientBase,
  keys: Pick<CloseKeys, 'knows'>,
): Promise<{ hashes: Map<number, string>; newest: AnchoringClose | null }> {
  type Row = Omit<SignedClose, 'cutAt'> & { cutAt: Date };
  const { rows } = await client.query<Row>(CLOSES);
  const closes = rows.map((row): SignedClose => ({
    ...row,
    number: Number(row.number),
    entries: Number(row.entries),
    accounts: Number(row.accounts),
    cutAt: row.cutAt.toISOString(),
  }));
  const last = closes.at(-1);
  const isRight = last !== undefined && isSigned(last) && keys.knows(last.publicKey) === true;
  return {
    hashes: new Map(closes.map((close) => [close.number, hashOf(close)])),
    newest: isRight ? { number: last.number, hash: hashOf(last) } : null,
  };
}
