import { useQuery } from '@tanstack/react-query';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { call } from '../../../shared/api/call.js';
import { isMain, type User } from '../../../shared/auth/user.js';
import { periodOf, type Period } from './period.js';

const BEGINNINGS = ['RECHARGE_ORDER_BY_MEMBER_GROUP', 'MATRIX'] as const;

/**
 * The quota of this period of who bills by character. `pending` while its beginning is looked up in the ledger, which happens again when
 * there may be another one; null where that failed: the balance is true without it. A sub-account buys nothing: all that it was given counts.
 */
export function usePeriod(user: User): Period | 'pending' | null {
  const main = isMain(user);
  const { memberAccount: account } = user;
  const { data, isPending } = useQuery({
    queryKey: ['period', user.userId, account.rechargeAmountTotal, user.memberGroupId, user.tranChannelId],
    queryFn: async ({ signal }) => {
      const ask = (logType: (typeof BEGINNINGS)[number]) =>
        call(listAccountLogs, { logType, pageSize: '1' }, { signal });
      const pages = await Promise.all(BEGINNINGS.map(ask));
      return pages.flatMap(({ rows }) => rows);
    },
    enabled: main,
  });
  if (!main) return periodOf(account, []);
  if (isPending) return 'pending';
  return data ? periodOf(account, data) : null;
}
