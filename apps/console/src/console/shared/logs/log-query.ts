/** The filters of a log: as the form holds them, as Refine keeps them in the URL, and what the calls take (specification §7). */
import { FILTERED_ROWS_MAX, LOG_DAYS_DEFAULT } from '@yiqiao/domain/limits';
import type { CrudFilter } from '@refinedev/core';
import { lastDays } from '../wire-time.js';

export type LogQuery = {
  /** `YYYY-MM-DD HH:mm:ss` on the server's clock, both ends included; null for all times. */
  range: { begin: string; end: string } | null;
  /** The other filters by the name of their parameter; absent means any. */
  values: Readonly<Record<string, string>>;
};

/** A range of time as a form holds it. */
export type Range = LogQuery['range'];

/** `create` for `createDateTimeBegin` … `createDateTimeEnd`. */
export type TimeField = 'createDateTime' | 'loginDateTime';

export const defaultQuery = (now?: Date): LogQuery => ({ range: lastDays(LOG_DAYS_DEFAULT, now), values: {} });

/** All of yesterday, on the server's clock. */
export const yesterday = (now?: Date): NonNullable<LogQuery['range']> => {
  const { begin } = lastDays(2, now);
  return { begin, end: begin.replace('00:00:00', '23:59:59') };
};

const eq = (field: string, value: string): CrudFilter => ({ field, operator: 'eq', value });

export const filtersOf = ({ range, values }: LogQuery, timeField: TimeField): CrudFilter[] => [
  ...(range === null ? [] : [eq(`${timeField}Begin`, range.begin), eq(`${timeField}End`, range.end)]),
  ...Object.entries(values)
    .map(([field, value]) => [field, value.trim()] as const)
    .filter(([, value]) => value !== '')
    .map(([field, value]) => eq(field, value)),
];

/** The filters as the parameters of a call. */
export const parametersOf = (query: LogQuery, timeField: TimeField): Record<string, string> =>
  Object.fromEntries(filtersOf(query, timeField).flatMap((f) => ('field' in f ? [[f.field, String(f.value)]] : [])));

/** Whether `total` is where the server stopped counting: it does so for rows that are looked up by address or client. */
export const isBounded = ({ values }: LogQuery, total: number): boolean =>
  total === FILTERED_ROWS_MAX && (values['loginIp'] !== undefined || values['clientType'] !== undefined);

/** Whether the log would go on before `archivedUntil`, from where on it was archived. */
export const endsAtArchive = ({ range }: LogQuery, archivedUntil: unknown): archivedUntil is string =>
  typeof archivedUntil === 'string' && (range === null || range.begin <= archivedUntil);

/** Reads the filters from the URL; half a range is ignored. */
export const queryOf = (filters: readonly CrudFilter[], timeField: TimeField): LogQuery => {
  const values: Record<string, string> = {};
  for (const filter of filters) if ('field' in filter) values[filter.field] = String(filter.value);
  const { [`${timeField}Begin`]: begin, [`${timeField}End`]: end, ...rest } = values;
  return { range: begin === undefined || end === undefined ? null : { begin, end }, values: rest };
};

/** Whether any filter is set, so that an empty result means "no match" and not "nothing yet". */
export const isNarrowed = (query: LogQuery, now?: Date): boolean => {
  const usual = defaultQuery(now).range;
  const sameRange =
    query.range === null || (query.range.begin <= (usual?.begin ?? '') && query.range.end >= (usual?.end ?? ''));
  return !sameRange || Object.keys(query.values).length > 0;
};
