import { describe, expect, it } from '@jest/globals';
import { LiteralArray, scalar } from '../rows/array-parameters.js';
import { combine, prepare, type Statement } from './prepared-statements.js';

const update = (ids: number[], notes: (string | null)[]): Statement => ({
  name: 'update',
  rows: ids.length,
  parameters: [new LiteralArray(ids), new LiteralArray(notes)],
  text: 'UPDATE t SET note = d.note FROM unnest($1::bigint[], $2::text[]) AS d (id, note) WHERE t.id = d.id',
});
const drop = (ids: string[]): Statement => ({
  name: 'drop',
  rows: ids.length,
  parameters: [new LiteralArray(ids)],
  text: 'DELETE FROM u WHERE id = ANY ($1::uuid[])',
});
const check: Statement = {
  name: 'check',
  rows: 1,
  parameters: [scalar(7)],
  text: 'SELECT $1::int = 7 AS ok',
};
const rows: Statement = {
  name: 'insert',
  rows: 1,
  parameters: [new LiteralArray([5])],
  ctes: { read: 'SELECT * FROM unnest($1::bigint[]) AS d (id)', first: 'INSERT INTO v SELECT id FROM read' },
  text: 'INSERT INTO w SELECT id FROM read',
};

describe('prepared statements', () => {
  it('take parameters as arrays', () => {
    expect(prepare(update([1, 2], ['a', null]))).toMatchObject({ name: 'update', values: ['{1,2}', '{a,NULL}'] });
    expect(prepare(rows).text).toBe(
      `WITH read AS MATERIALIZED (SELECT * FROM unnest($1::bigint[]) AS d (id)), first AS  (INSERT INTO v SELECT id FROM read) INSERT INTO w SELECT id FROM read`,
    );
  });

  it('are combined: parameters are renumbered, and the first statement returns its rows', () => {
    const { name, text, values } = combine([check, update([1, 2], ['a', null]), drop(['x'])]);
    expect(name).toBe('check+update+drop');
    expect(text).toContain('check AS  (SELECT $1::int = 7 AS ok)');
    expect(text).toContain('FROM unnest($2::bigint[], $3::text[]) AS d (id, note)');
    expect(text).toContain('ANY ($4::uuid[])');
    expect(text).toContain('WHERE t.id = d.id AND (SELECT ok FROM check))');
    expect(text.endsWith('SELECT * FROM check')).toBe(true);
    expect(values).toEqual([7, '{1,2}', '{a,NULL}', '{x}']);
  });

  it('take scalars when every combined statement has one row', () => {
    const { name, text, values } = combine([check, update([1], ['a']), drop(['x']), rows]);
    expect(name).toBe('1:check+update+drop+insert');
    expect(text).toContain('FROM (VALUES ($2::bigint, $3::text)) AS d (id, note)');
    expect(text).toContain('ANY ($4::uuid[])');
    expect(text).toContain('read AS NOT MATERIALIZED (SELECT * FROM (VALUES ($5::bigint)) AS d (id))');
    for (const table of ['v', 'w'])
      expect(text).toContain(`INSERT INTO ${table} SELECT id FROM read WHERE (SELECT ok FROM check))`);
    expect(values).toEqual([7, 1, 'a', '{x}', 5]);
  });
});
