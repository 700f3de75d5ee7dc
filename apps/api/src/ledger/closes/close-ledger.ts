import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FIRST_CLOSE } from '@yiqiao/domain/closes';
import { DAY_MS } from '@yiqiao/domain/limits';
import { type Actor, appendAction } from '../../platform/action-chain.js';
import { Clock } from '../../platform/clock.js';
import { lockKey } from '../../platform/database.js';
import { Vault } from '../../platform/vault.js';
import { TrialBalance } from '../trial-balance/trial-balance.js';
import { CloseKeys } from './close-keys.js';
import {
  type Books,
  hashOf,
  leavesAt,
  packChanged,
  paymentsIn,
  readCloses,
  sha256,
  type StoredClose,
} from './close-rows.js';
import { leafContent, leafHash, MerkleTree } from './merkle-tree.js';

/** Closes every day that is over and not closed yet; the first close is of yesterday. Returns their dates; null without a signing key. */
export class CloseLedger extends Command<string[] | null> {
  constructor(readonly actor: Actor) {
    super();
  }
}

/** Entries of the day have been committed by then: no transaction lasts as long. */
const SETTLED_MS = 5 * 60_000;
/** The purpose of the accounts' keyed hashes. */
const ACCOUNT_KEY = 'ledger close account';

@CommandHandler(CloseLedger)
export class CloseLedgerHandler implements ICommandHandler<CloseLedger> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly keys: CloseKeys,
    private readonly trial: TrialBalance,
  ) {}

  async execute({ actor }: CloseLedger): Promise<string[] | null> {
    if (!this.keys.signer) return null;
    const dates: string[] = [];
    for (;;) {
      const date = await this.em.fork().transactional((em) => this.#closeNext(em, actor));
      if (date === null) return dates;
      dates.push(date);
    }
  }

  /** Closes the next day; null if none is over. */
  async #closeNext(em: EntityManager, actor: Actor): Promise<string | null> {
    await em.execute(`SET LOCAL statement_timeout = '300s'; SET LOCAL idle_in_transaction_session_timeout = '300s'`);
    await lockKey(em, 'ledger close');
    const [last] = await readCloses(em, 'ORDER BY n DESC LIMIT 1');
    const date = last ? dayAfter(last.date) : (this.clock.lastDays(2)[0] ?? '');
    const cutAt = this.clock.fromWire(`${dayAfter(date)} 00:00:00`);
    if (this.clock.now().getTime() < cutAt.getTime() + SETTLED_MS) return null;
    await this.#close(em, { date, cutAt, last, actor });
    return date;
  }

  async #close(
    em: EntityManager,
    { date, cutAt, last, actor }: { date: string; cutAt: Date; last: StoredClose | undefined; actor: Actor },
  ): Promise<void> {
    const number = (last?.number ?? 0) + 1;
    const accounts = await this.#addAccounts(em, cutAt);
    const leaves = await this.#addLeaves(em, number, cutAt);
    const changed = packChanged(
      leaves.map(({ leaf, key, seq, head }) => ({ index: leaf, hash: leafHash(leafContent(key, seq, head)) })),
    );
    const hashes: Buffer[] = [];
    for await (const leaf of leavesAt(em, { number, accounts })) hashes.push(leaf);
    const tree = new MerkleTree(hashes);
    const [total] = await em.execute<{ entries: number }[]>(ENTRIES, [number]);
    const before = new Date(last?.cutAt ?? 0);
    const [actions] = await em.execute<NonNullable<Books['actions']>[]>(ACTIONS);
    const books: Books = {
      ...(await this.trial.read(em, this.trial.past(new Date(cutAt.getTime() - 1)))),
      payments: await paymentsIn(em, before, cutAt),
      actions: actions ?? null,
      changed: sha256(changed),
    };
    const booksText = JSON.stringify(books);
    const close = this.keys.signer?.({
      number,
      date,
      cutAt: cutAt.toISOString(),
      entries: total?.entries ?? 0,
      accounts,
      root: tree.root.toString('hex'),
      books: sha256(booksText),
      previous: last ? hashOf(last) : FIRST_CLOSE,
    });
    if (!close) return;
    await em.execute(INSERT, [
      ...[number, date, cutAt, close.entries, accounts, close.root, booksText, changed.toString('hex')],
      ...[close.previous, close.publicKey, close.signature],
    ]);
    // Last, because whoever records an action waits until this transaction ends.
    await appendAction((sql, values) => em.execute(sql, [...values]), actor, {
      action: 'close.make',
      target: { kind: 'close', id: date },
      after: { root: close.root },
      at: this.clock.now(),
    });
  }

  /** Gives every account with an entry before the cut its key and its place in the tree; returns how many have one. */
  async #addAccounts(em: EntityManager, cutAt: Date): Promise<number> {
    const fresh = await em.execute<{ userId: number }[]>(NEW_ACCOUNTS, [cutAt]);
    const [known] = await em.execute<{ accounts: number }[]>('SELECT count(*) AS accounts FROM close_account');
    const accounts = known?.accounts ?? 0;
    const rows = fresh.map(({ userId }, i) => ({
      user_id: userId,
      leaf: accounts + i,
      account_key: `\\x${this.vault.hmac(ACCOUNT_KEY, String(userId))}`,
    }));
    for (let at = 0; at < rows.length; at += AT_ONCE)
      await em.execute(
        `INSERT INTO close_account (user_id, leaf, account_key)
         SELECT user_id, leaf, account_key FROM jsonb_to_recordset(?::jsonb) AS d (user_id bigint, leaf bigint, account_key bytea)`,
        [JSON.stringify(rows.slice(at, at + AT_ONCE))],
      );
    return accounts + rows.length;
  }

  /** A plan made while the table of leaves is empty would scan, for every account, what the statement itself has written so far. */
  async #addLeaves(em: EntityManager, number: number, cutAt: Date): Promise<Leaf[]> {
    await em.execute('SET LOCAL enable_seqscan = off');
    const leaves = await em.execute<Leaf[]>(ADD_LEAVES, [number, cutAt]);
    await em.execute('SET LOCAL enable_seqscan = on');
    return leaves;
  }
}

const AT_ONCE = 10_000;

type Leaf = { leaf: number; key: Buffer; seq: number; head: Buffer };

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

const NEW_ACCOUNTS = `
SELECT a.user_id AS "userId" FROM member_account a LEFT JOIN close_account c ON c.user_id = a.user_id
WHERE c.user_id IS NULL AND EXISTS (SELECT FROM account_log e WHERE e.user_id = a.user_id AND e.seq = 1 AND e.created_at < ?)
ORDER BY a.user_id`;

/** The head of each account at the cut, if it has changed. */
const ADD_LEAVES = `
WITH added AS (
  INSERT INTO close_leaf (user_id, n, seq, head)
  SELECT c.user_id, ?::bigint, e.seq, e.hash
  FROM close_account c JOIN member_account a ON a.user_id = c.user_id
  LEFT JOIN LATERAL (SELECT seq FROM close_leaf WHERE user_id = c.user_id ORDER BY n DESC LIMIT 1) AS l ON true
  CROSS JOIN LATERAL (
    SELECT seq, hash FROM account_log WHERE user_id = c.user_id AND seq > coalesce(l.seq, 0) AND created_at < ? ORDER BY seq DESC LIMIT 1
  ) AS e
  WHERE a.entry_seq > coalesce(l.seq, 0)
  RETURNING user_id, seq, head
)
SELECT c.leaf, c.account_key AS key, added.seq, added.head FROM added JOIN close_account c USING (user_id) ORDER BY c.leaf`;

const ENTRIES = `
SELECT coalesce(sum(l.seq), 0)::bigint AS entries FROM close_account c CROSS JOIN LATERAL (
  SELECT seq FROM close_leaf WHERE user_id = c.user_id AND n <= ? ORDER BY n DESC LIMIT 1
) AS l`;

const ACTIONS = `SELECT n, encode(hash, 'hex') AS hash FROM operator_action ORDER BY n DESC LIMIT 1`;

const INSERT = `
INSERT INTO ledger_close (n, date, cut_at, entries, accounts, root, books, changed, previous, public_key, signature)
VALUES (?, ?, ?, ?, ?, decode(?, 'hex'), ?, decode(?, 'hex'), decode(?, 'hex'), decode(?, 'hex'), decode(?, 'hex'))`;
