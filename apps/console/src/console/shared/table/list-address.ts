/** The addresses of lists: `?type=MATRIX&from=2026-11-14&page=2`. Addresses of the old form, `filters[0][field]=…`, are read as well. */
import type { CrudFilter } from '@refinedev/core';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { wireMs } from '../wire-time.js';

/** Filters by their short names; times of the log that the page shows are `from` and `until`. */
const SHORT = {
  logType: 'type',
  loginIp: 'ip',
  clientType: 'client',
  payStatus: 'status',
  account: 'q',
  keyword: 'q',
  state: 'state',
  userId: 'owner',
  source: 'source',
  target: 'target',
  createDateTimeBegin: 'from',
  createDateTimeEnd: 'until',
  loginDateTimeBegin: 'from',
  loginDateTimeEnd: 'until',
} as const;
type Field = keyof typeof SHORT;

const FIELDS: Readonly<Record<string, readonly Field[]>> = {
  '/UserCenterLoginLog': ['loginIp', 'clientType', 'loginDateTimeBegin', 'loginDateTimeEnd'],
  '/UserCenterAccountLog': ['logType', 'loginIp', 'clientType', 'createDateTimeBegin', 'createDateTimeEnd'],
  '/UserCenterChangeTranslateLog': ['loginIp', 'clientType', 'createDateTimeBegin', 'createDateTimeEnd'],
  '/UserCenterOrder': ['payStatus'],
  '/UserCenterChild': ['account'],
  '/UserCenterGlossary': ['source', 'target', 'keyword'],
  '/UserCenterApiKeys': ['state', 'userId', 'keyword'],
  '/UserCenterWebhook': [],
};

/** The state of an entry of the history that a list has written itself. */
export const OF_LIST = { ofList: true };

export const PAGE_SIZES = [10, 20, 50, 100];

/** What a list keeps in its address. */
export type ListState = { currentPage: number; pageSize: number; filters: readonly CrudFilter[] };

const fieldsOf = (pathname: string): readonly Field[] | undefined => FIELDS[pathname.replace(/\/$/, '')];

/** Whole days as their date, other times with a `T`. */
const shownTime = (field: Field, value: string): string => {
  const whole = field.endsWith('Begin') ? ' 00:00:00' : ' 23:59:59';
  return value.endsWith(whole) ? value.slice(0, 10) : value.replace(' ', 'T');
};
const readTime = (field: Field, value: string): string => {
  if (value.includes('T')) return value.replace('T', ' ');
  return `${value} ${field.endsWith('Begin') ? '00:00:00' : '23:59:59'}`;
};
const isTime = (field: Field): boolean => /Begin$|End$/.test(field);

/** Whether it is an existing day and time in the wire's form: the picker and the server take nothing else. */
const isWireTime = (value: string): boolean => {
  const ms = wireMs(value);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19).replace('T', ' ') === value;
};

const isOfList = (name: string): boolean =>
  ['page', 'size', 'currentPage', 'pageSize', 'filters', 'sorters', ...Object.values(SHORT)].includes(name) ||
  /^(filters|sorters)\[/.test(name);

/** The parameters of an address that are not its list's. */
export const otherParams = <T>(pathname: string, params: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !fieldsOf(pathname) || !isOfList(name)));

/** The query string of a list with `state`, beside what `search` has of others; null where the page has no list. */
export function listSearch(pathname: string, search: string, state: ListState): string | null {
  const fields = fieldsOf(pathname);
  if (!fields) return null;
  const parts = [...new URLSearchParams(search)]
    .filter(([name]) => !isOfList(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  for (const field of fields) {
    const filter = state.filters.find((one) => 'field' in one && one.field === field);
    if (!filter) continue;
    const value = String(filter.value);
    const shown = isTime(field) ? shownTime(field, value) : value;
    parts.push(`${SHORT[field]}=${encodeURIComponent(shown).replaceAll('%3A', ':')}`);
  }
  if (state.currentPage > 1) parts.push(`page=${state.currentPage}`);
  if (state.pageSize !== PAGE_SIZE) parts.push(`size=${state.pageSize}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

const wholeFrom = (text: unknown): number => {
  const n = Number(text);
  return Number.isSafeInteger(n) && n > 0 ? n : 1;
};

/** The value of a filter in an address of the old form, of which any part may be missing or of another kind. */
function oldValue(filters: unknown, field: Field): string | null {
  if (!Array.isArray(filters)) return null;
  for (const filter of filters as unknown[]) {
    if (typeof filter !== 'object' || filter === null) continue;
    const { field: name, value } = filter as { field?: unknown; value?: unknown };
    if (name === field && typeof value === 'string') return value;
  }
  return null;
}

/** Without half a range: the form, the sums and the download cannot show one. */
const wholeRanges = <Filter extends { field: Field }>(filters: readonly Filter[]): Filter[] => {
  const isHalf = filters.filter(({ field }) => isTime(field)).length === 1;
  return filters.filter(({ field }) => !isHalf || !isTime(field));
};

/** The state of a list by its address. `old`: as Refine itself reads it. Filters are absent where it has none that are valid. */
export function listStateOf(
  pathname: string,
  search: string,
  old: { currentPage?: unknown; pageSize?: unknown; filters?: unknown } = {},
): { currentPage: number; pageSize: number; filters?: CrudFilter[] } {
  const query = new URLSearchParams(search);
  const size = Number(query.get('size') ?? old.pageSize ?? PAGE_SIZE);
  const paging = {
    currentPage: wholeFrom(query.get('page') ?? old.currentPage ?? 1),
    // A size that no list has would be refused by the server.
    pageSize: PAGE_SIZES.includes(size) ? size : PAGE_SIZE,
  };
  const read = (valueOf: (field: Field) => string | null): CrudFilter[] =>
    wholeRanges(
      (fieldsOf(pathname) ?? []).flatMap((field) => {
        const value = valueOf(field);
        if (value === null || value === '' || (isTime(field) && !isWireTime(value))) return [];
        return [{ field, operator: field === 'account' ? 'contains' : 'eq', value } as const];
      }),
    );
  const short = read((field) => {
    const value = query.get(SHORT[field]);
    return value !== null && isTime(field) ? readTime(field, value) : value;
  });
  const filters = short.length > 0 ? short : read((field) => oldValue(old.filters, field));
  return filters.length > 0 ? { ...paging, filters } : paging;
}
