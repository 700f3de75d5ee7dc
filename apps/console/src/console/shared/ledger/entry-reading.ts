/** The figures of one ledger entry (specification §3, §4). The text is the row's own `explanation`. */
import type { listAccountLogs } from '@yiqiao/contracts/account-log';
import type { Response } from '@yiqiao/contracts/endpoint';

export type LedgerRow = Response<typeof listAccountLogs>['rows'][number];

export type Quantity = 'char' | 'min' | 'voice' | 'image';
/** One changed quantity: characters, minutes of the package, voice or images, with the signed change. */
export type Amount = { quantity: Quantity; change: number };
/** Before and after of one quantity; for time they are the expiry, which may be absent. */
export type Movement =
  | { quantity: 'char' | 'voice' | 'image'; before: number; after: number }
  | { quantity: 'min'; before: string | null; after: string | null };

export const amountsOf = (row: LedgerRow): readonly Amount[] =>
  (
    [
      { quantity: 'char', change: row.charChangeNum },
      { quantity: 'min', change: row.minChangeNum },
      { quantity: 'voice', change: row.voiceChangeNum },
      { quantity: 'image', change: row.imageChangeNum },
    ] as const
  ).filter((a) => a.change !== 0);

/** Every quantity whose value is another one after the entry; an expiry can move without minutes being bought (character packages). */
export const movementsOf = (row: LedgerRow): readonly Movement[] =>
  (
    [
      { quantity: 'char', before: row.beforeCharNum, after: row.lastCharNum },
      { quantity: 'voice', before: row.beforeVoiceNum, after: row.lastVoiceNum },
      { quantity: 'image', before: row.beforeImageNum, after: row.lastImageNum },
      { quantity: 'min', before: row.beforeExpireDateTime, after: row.lastExpireDateTime },
    ] as const
  ).filter((m) => m.before !== m.after);

const UNNAMED = '–';

/** The actor: an operator, the main account, the system, or the member. */
export type Actor = { kind: 'manager' | 'main'; name: string } | { kind: 'system' | 'self' };

const BY_THE_SYSTEM = new Set<LedgerRow['logType']>(['SYS_MATRIX', 'SYS_ADJUST', 'INVITE_REWARD']);
const BY_THE_MAIN_ACCOUNT = new Set<LedgerRow['logType']>(['DISTRIBUTION', 'RECOVERY']);

export const actorOf = (row: LedgerRow): Actor => {
  if (row.managerId !== null || row.managerName !== null) return { kind: 'manager', name: row.managerName ?? UNNAMED };
  if (BY_THE_MAIN_ACCOUNT.has(row.logType)) return { kind: 'main', name: row.parentUserName ?? UNNAMED };
  // The gift of a new account: no channel was used and nothing was there before.
  const gift = row.logType === 'OTHER' && row.consumeTranChannelId === null && row.consumerIp === null;
  return { kind: BY_THE_SYSTEM.has(row.logType) || gift ? 'system' : 'self' };
};
