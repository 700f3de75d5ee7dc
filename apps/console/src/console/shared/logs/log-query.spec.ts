import { describe, expect, it } from '@jest/globals';
import {
  defaultQuery,
  endsAtArchive,
  filtersOf,
  isBounded,
  isNarrowed,
  parametersOf,
  queryOf,
  yesterday,
} from './log-query.js';

const now = new Date('2026-11-20T06:32:08Z');
const usual = { begin: '2026-11-11 00:00:00', end: '2026-11-20 23:59:59' };

describe('the filters of a log', () => {
  it('default to the last ten days', () => {
    expect(defaultQuery(now)).toEqual({ range: usual, values: {} });
  });

  it('can be all of yesterday in server time', () => {
    expect(yesterday(now)).toEqual({ begin: '2026-11-19 00:00:00', end: '2026-11-19 23:59:59' });
    expect(yesterday(new Date('2026-11-20T17:00:00Z'))).toEqual({
      begin: '2026-11-20 00:00:00',
      end: '2026-11-20 23:59:59',
    });
  });

  it('come back from the URL as they were', () => {
    const query = { range: usual, values: { logType: 'OTHER', loginIp: '203.0.113.24' } };
    expect(queryOf(filtersOf(query, 'createDateTime'), 'createDateTime')).toEqual(query);
    expect(filtersOf(query, 'loginDateTime')[0]).toEqual({
      field: 'loginDateTimeBegin',
      operator: 'eq',
      value: usual.begin,
    });
  });

  it('leave out what is blank, and half a range', () => {
    expect(filtersOf({ range: null, values: { loginIp: '  ' } }, 'createDateTime')).toEqual([]);
    const half = [{ field: 'createDateTimeEnd', operator: 'eq' as const, value: usual.end }];
    expect(queryOf(half, 'createDateTime')).toEqual({ range: null, values: {} });
  });

  it('are what a download asks for', () => {
    expect(parametersOf({ range: usual, values: { clientType: 'web', loginIp: ' ' } }, 'createDateTime')).toEqual({
      createDateTimeBegin: usual.begin,
      createDateTimeEnd: usual.end,
      clientType: 'web',
    });
  });

  it('know where the server stopped counting', () => {
    const byIp = { range: usual, values: { loginIp: '203.0.113.24' } };
    expect([isBounded(byIp, 10_000), isBounded(byIp, 9_999)]).toEqual([true, false]);
    expect(isBounded({ range: usual, values: { logType: 'OTHER' } }, 10_000)).toBe(false);
  });

  it('know whether older ones are in the archive', () => {
    const within = { range: usual, values: {} };
    expect(endsAtArchive(within, undefined)).toBe(false);
    expect(endsAtArchive(within, usual.begin)).toBe(true);
    expect(endsAtArchive(within, usual.begin.replace(/:00$/, ':01'))).toBe(true);
    expect(endsAtArchive(within, '2020-01-01 00:00:00')).toBe(false);
    expect(endsAtArchive({ range: null, values: {} }, '2020-01-01 00:00:00')).toBe(true);
  });

  it('know "nothing yet" from "no match"', () => {
    expect(isNarrowed(defaultQuery(now), now)).toBe(false);
    expect(isNarrowed({ range: null, values: {} }, now)).toBe(false);
    expect(isNarrowed({ range: { ...usual, begin: '2026-11-19 00:00:00' }, values: {} }, now)).toBe(true);
    expect(isNarrowed({ range: usual, values: { logType: 'OTHER' } }, now)).toBe(true);
  });
});
