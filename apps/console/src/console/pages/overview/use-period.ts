import { useList } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listAccountLogs } from '@yiqiao/contracts/account-log';
import { isMain, type User } from '../../../shared/auth/user.js';
import { periodOf, type Period } from './period.js';

type Entry = Response<typeof listAccountLogs>['rows'][number];

/** The last entry of a type that begins a period; read again when the member's figures say that there may be another one. */
function useLastEntry(user: User, logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP' | 'MATRIX') {
  const { userId, memberGroupId, tranChannelId, memberAccount } = user;
  const { query } = useList<Entry>({
    resource: 'accountLogs',
    pagination: { currentPage: 1, pageSize: 1 },
    filters: [{ field: 'logType', operator: 'eq', value: logType }],
    meta: { userId, memberGroupId, tranChannelId, rechargeAmountTotal: memberAccount.rechargeAmountTotal },
    liveMode: 'off', // translations add entries, but begin no period
    errorNotification: false,
    queryOptions: { enabled: isMain(user) },
  });
  return query;
}

/**
 * The quota of this period of who bills by character. `pending` while its beginning is looked up in the ledger, which happens again when
 * there may be another one; null where that failed: the balance is true without it. A sub-account buys nothing: all that it was given counts.
 */
export function usePeriod(user: User): Period | 'pending' | null {
  const main = isMain(user);
  const { memberAccount: account } = user;
  const recharge = useLastEntry(user, 'RECHARGE_ORDER_BY_MEMBER_GROUP');
  const change = useLastEntry(user, 'MATRIX');
  if (!main) return periodOf(account, []);
  if (recharge.data && change.data) return periodOf(account, [...recharge.data.data, ...change.data.data]);
  return recharge.isError || change.isError ? null : 'pending';
}
