import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountState, Quota } from '@yiqiao/domain/ledger';
import { ACCOUNT_COLUMNS, accountOf, type LockedAccount, type Value } from '../rows/account-rows.js';
import { arrayLiteral } from '../rows/array-parameters.js';

/** The accounts that a command locks: some of them, or a whole family. */
export type Which = { userIds: readonly number[] } | { familyId: number };

/** An account as rules see it. */
export type AccountView = {
  userId: number;
  familyId: number;
  state: Readonly<AccountState>;
  held: Readonly<Quota>;
  /** Nothing of it may change. */
  readOnly: boolean;
};

/** By ascending id. `now`: the database's clock in ms, or the newest entry of these accounts if the clock was set back. */
export type LockedAccounts = { accounts: Map<number, LockedAccount>; now: number };

/** A sub-account is read-only while its family is: the lock waits for an audit that is about to say so. */
export async function openAccount(
  em: EntityManager,
  { userId, familyId }: { userId: number; familyId: number },
): Promise<void> {
  const [main] = await em.execute<{ read_only: boolean }[]>(
    'SELECT read_only FROM member_account WHERE user_id = ? FOR SHARE',
    [familyId],
  );
  await em.execute('INSERT INTO member_account (user_id, family_id, read_only) VALUES (?, ?, ?)', [
    userId,
    familyId,
    main?.read_only ?? false,
  ]);
}

/** Locks in ascending id, as every writer of the ledger does. The accounts belong to one family. */
export async function lockAccounts(em: EntityManager, which: Which): Promise<LockedAccounts> {
  if (!em.isInTransaction()) throw new Error('a movement is posted in the transaction of its command');
  const locked = await readAccounts(em, which, 'FOR NO KEY UPDATE');
  const families = new Set(Array.from(locked.accounts.values(), (account) => account.familyId));
  if (families.size > 1) throw new Error(`a command touches one family, not ${[...families].join(' and ')}`);
  return locked;
}

/** The accounts without a lock, for previews. Ascending id. */
export async function viewAccounts(em: EntityManager, which: Which): Promise<{ accounts: AccountView[]; now: number }> {
  const { accounts, now } = await readAccounts(em, which, '');
  return { accounts: [...accounts.values()], now };
}

async function readAccounts(em: EntityManager, which: Which, locking: string): Promise<LockedAccounts> {
  const [condition, value] =
    'familyId' in which
      ? ['family_id = ?', which.familyId]
      : ['user_id = ANY (?::bigint[])', arrayLiteral(which.userIds)];
  const rows = await em.execute<{ line: Value[] }[]>(
    `SELECT json_build_array(${ACCOUNT_COLUMNS}, (date_part('epoch', clock_timestamp()) * 1000)::bigint) AS line
     FROM member_account WHERE ${condition} ORDER BY user_id ${locking}`,
    [value],
  );
  const accounts = rows.map(({ line }) => accountOf(line));
  // The audit applies the rules at the entry's time, so `now` must equal it to the millisecond.
  const now = Math.max(
    0,
    ...rows.slice(-1).map(({ line }) => Number(line[19])),
    ...accounts.map(({ lastAt }) => lastAt),
  );
  return { accounts: new Map(accounts.map((account) => [account.userId, account])), now };
}
