import { describe, expect, it } from '@jest/globals';
import type { CrudFilter } from '@refinedev/core';
import { listSearch, listStateOf, otherParams } from './list-address.js';

const eq = (field: string, value: string): CrudFilter => ({ field, operator: 'eq', value });
const LOG = '/UserCenterAccountLog';
const RANGE = [eq('createDateTimeBegin', '2026-11-14 00:00:00'), eq('createDateTimeEnd', '2026-11-23 23:59:59')];

describe('the address of a list', () => {
  it('names filters shortly, whole days as dates, and leaves out what is usual', () => {
    const state = { currentPage: 1, pageSize: 10, filters: [...RANGE, eq('logType', 'MATRIX')] };
    expect(listSearch(LOG, '', state)).toBe('?type=MATRIX&from=2026-11-14&until=2026-11-23');
    expect(listSearch(LOG, '', { currentPage: 1, pageSize: 10, filters: [] })).toBe('');
    expect(listSearch('/UserCenterOrder', '', { currentPage: 3, pageSize: 50, filters: [] })).toBe('?page=3&size=50');
  });

  it('keeps what is not the list’s, and drops the old form', () => {
    const search = '?lang=en&filters[0][field]=logType&filters[0][value]=OTHER&currentPage=2&pageSize=20';
    const state = { currentPage: 2, pageSize: 20, filters: [eq('logType', 'OTHER')] };
    expect(listSearch(LOG, search, state)).toBe('?lang=en&type=OTHER&page=2&size=20');
    expect(listSearch('/UserCenterIndex', search, state)).toBeNull();
  });

  it('hands on only the parameters that are not the list’s', () => {
    // `filters` and `sorters` as Refine has read them out of `filters[0][field]=…`.
    const params = { lang: 'en', from: '2026-11-14', page: '2', filters: 'x', sorters: 'x' };
    expect(otherParams(LOG, params)).toEqual({ lang: 'en' });
    expect(otherParams('/UserCenterIndex', params)).toEqual(params);
  });

  it('is read back as it was written', () => {
    const filters = [eq('loginIp', '::1'), eq('createDateTimeBegin', '2026-11-14 08:30:00'), ...RANGE.slice(1)];
    const search = listSearch(LOG, '', { currentPage: 4, pageSize: 20, filters }) ?? '';
    expect(search).toBe('?ip=::1&from=2026-11-14T08:30:00&until=2026-11-23&page=4&size=20');
    expect(listStateOf(LOG, search)).toEqual({ currentPage: 4, pageSize: 20, filters });
    expect(listStateOf('/UserCenterLoginLog', '?from=2026-11-14&until=2026-11-15').filters).toEqual([
      eq('loginDateTimeBegin', '2026-11-14 00:00:00'),
      eq('loginDateTimeEnd', '2026-11-15 23:59:59'),
    ]);
    const name = listSearch('/UserCenterChild', '', {
      currentPage: 1,
      pageSize: 10,
      filters: [{ field: 'account', operator: 'contains', value: '50% & 小王' }],
    });
    expect(listStateOf('/UserCenterChild', name ?? '').filters).toEqual([
      { field: 'account', operator: 'contains', value: '50% & 小王' },
    ]);
  });

  it.each([
    '?from=2026-11-20',
    '?until=2026-11-20',
    '?from=x&until=y',
    '?from=2026-11-20&until=2026-02-30',
    '?from=2026-11-20T25:00:00&until=2026-11-21',
    '?from=2026-11-20T08:00&until=2026-11-21',
  ])('ignores half a range and what is no time: %s', (search) => {
    expect(listStateOf(LOG, search)).toEqual({ currentPage: 1, pageSize: 10 });
    expect(listStateOf(LOG, `${search}&type=OTHER`).filters).toEqual([eq('logType', 'OTHER')]);
  });

  it.each([
    ['a string', 'x'],
    ['strings', ['x', null]],
    ['an unknown field', [eq('nobody', 'x')]],
    ['a field of another list', [eq('payStatus', '1')]],
    ['no value', [{ field: 'logType', operator: 'eq' }]],
    ['a value of another kind', [{ field: 'logType', operator: 'eq', value: { a: 'b' } }]],
    ['half a range', RANGE.slice(1)],
    ['no times', RANGE.map((filter) => ({ ...filter, value: 'x' }))],
  ])('ignores an address of the old form with %s', (_, filters) => {
    expect(listStateOf(LOG, '', { filters })).toEqual({ currentPage: 1, pageSize: 10 });
  });

  it('reads addresses of the old form, and never asks for a size or a page that cannot be', () => {
    const filters = [eq('logType', 'OTHER')];
    expect(listStateOf(LOG, '', { currentPage: 2, pageSize: 20, filters })).toEqual({
      currentPage: 2,
      pageSize: 20,
      filters,
    });
    expect(listStateOf(LOG, '', { filters: ['x', ...RANGE] }).filters).toEqual(RANGE);
    for (const size of ['7777', '-1', 'x', '']) expect(listStateOf(LOG, `?size=${size}`).pageSize).toBe(10);
    expect(listStateOf(LOG, '', { pageSize: 7777, currentPage: -2 })).toEqual({ currentPage: 1, pageSize: 10 });
  });
});
