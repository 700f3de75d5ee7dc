import { stringifyTableParams } from '@refinedev/core';
import { MINUTE_MS, PAGE_SIZE } from '@yiqiao/domain/limits';
import { filtersOf } from '../../shared/logs/log-query.js';
import { wireMs } from '../../shared/wire-time.js';

/** `ms` of `wireMs` as it stands on the wire. */
const wireOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** The account log, narrowed to the recharge that was credited at the wire's time `at`. */
export function ledgerLink(at: string): string {
  const range = { begin: wireOf(wireMs(at) - MINUTE_MS), end: wireOf(wireMs(at) + MINUTE_MS) };
  const filters = filtersOf({ range, values: { logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP' } }, 'createDateTime');
  const query = stringifyTableParams({
    pagination: { currentPage: 1, pageSize: PAGE_SIZE },
    sorters: [],
    filters,
  });
  return `/UserCenterAccountLog?${query}`;
}
