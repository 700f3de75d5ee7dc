/** Filtered links into the account log. */
import { MINUTE_MS, PAGE_SIZE } from '@yiqiao/domain/limits';
import { wireMs } from '../wire-time.js';
import { listSearch } from '../table/list-address.js';
import { filtersOf, type LogQuery } from './log-query.js';

/** `ms` of `wireMs` in the wire format. */
const wireOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

const ACCOUNT_LOG = '/UserCenterAccountLog';

const accountLogLink = (query: LogQuery): string => {
  const state = { currentPage: 1, pageSize: PAGE_SIZE, filters: filtersOf(query, 'createDateTime') };
  return `${ACCOUNT_LOG}${listSearch(ACCOUNT_LOG, '', state) ?? ''}`;
};

/** The recharge that was credited at the wire's time `at`. */
export const rechargeLink = (at: string): string =>
  accountLogLink({
    range: { begin: wireOf(wireMs(at) - MINUTE_MS), end: wireOf(wireMs(at) + MINUTE_MS) },
    values: { logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP' },
  });

/** All of one day, `YYYY-MM-DD` on the server's clock. */
export const dayLink = (date: string): string =>
  accountLogLink({ range: { begin: `${date} 00:00:00`, end: `${date} 23:59:59` }, values: {} });
