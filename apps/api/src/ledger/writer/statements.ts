import type { Column } from '../rows/columns.js';

/** A statement over rows that arrive as columns: `$1` stands for the first, and `unnest(…)` for the rows. */
export type Statement = {
  name: string;
  /** What its text refers to, by name. */
  ctes?: Readonly<Record<string, string>>;
  text: string;
  columns: readonly Column[];
  /** How many rows the columns have. */
  rows: number;
};

type Value = Column['only'];

/** As node-postgres prepares it, once per connection and name. */
export type Query = { name: string; text: string; values: Value[] };

/** `scalars`: the parameters that are values instead of columns, counted from 0. */
type Text = { text: string; scalars: ReadonlySet<number> };
const texts = new Map<string, Text>();

/** Statements of one name have one text, so it is put together once. */
function textOf(name: string, build: () => Text): Text {
  const text = texts.get(name) ?? build();
  texts.set(name, text);
  return text;
}

const valuesOf = (columns: readonly Column[], { scalars }: Text): Value[] =>
  columns.map((column, i) => (scalars.has(i) ? column.only : column.parameter));

/** One statement alone. */
export function alone({ name, ctes, text, columns }: Statement): Query {
  const built = textOf(name, () => ({
    text: ctes ? `WITH ${named(ctes, 'MATERIALIZED').join(', ')} ${text}` : text,
    scalars: new Set(),
  }));
  return { name, text: built.text, values: valuesOf(columns, built) };
}

/**
 * Several statements as one, all or nothing without BEGIN and COMMIT; answers the rows of the first, the condition. The others write only
 * if its column `ok` is true: an error would abort as well, but PostgreSQL would log each. None of them sees what another one writes. When
 * each has one row, its columns travel as single values: PostgreSQL takes half the time for them.
 */
export function together(statements: readonly [condition: Statement, ...others: Statement[]]): Query {
  const [condition] = statements;
  const single = statements.every((statement) => statement.rows === 1);
  const name = (single ? '1:' : '') + statements.map((statement) => statement.name).join('+');
  const columns = statements.flatMap((statement) => statement.columns);
  const built = textOf(name, () => {
    const scalars = new Set<number>();
    let shift = 0;
    const ctes = statements.flatMap((statement) => {
      const by = shift;
      shift += statement.columns.length;
      const parts = { ...statement.ctes, [statement.name]: statement.text };
      return named(
        statement === condition ? parts : mapValues(parts, (text) => onlyIf(condition.name, text)),
        single ? 'NOT MATERIALIZED' : 'MATERIALIZED',
      )
        .map((cte) => cte.replaceAll(/\$(\d+)/g, (_, n) => `$${Number(n) + by}`))
        .map((cte) => (single ? withoutColumns(cte, scalars) : cte));
    });
    return { text: `WITH ${ctes.join(', ')} SELECT * FROM ${condition.name}`, scalars };
  });
  return { name, text: built.text, values: valuesOf(columns, built) };
}

/** `text` ends in its WHERE or, without one, in its FROM. PostgreSQL reads the condition once. */
const onlyIf = (condition: string, text: string): string =>
  isReading(text) ? text : `${text} ${/\sWHERE\s/.test(text) ? 'AND' : 'WHERE'} (SELECT ok FROM ${condition})`;

const mapValues = (parts: Readonly<Record<string, string>>, change: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, change(text)]));

/** A CTE that writes is materialized in any case. */
const named = (ctes: Readonly<Record<string, string>>, how: string): string[] =>
  Object.entries(ctes).map(([name, text]) => `${name} AS ${isReading(text) ? how : ''} (${text})`);

const isReading = (text: string): boolean => text.trimStart().startsWith('SELECT * FROM unnest');

function withoutColumns(text: string, scalars: Set<number>): string {
  return text.replaceAll(/unnest\(([^)]*)\)/g, (_, list: string) => {
    for (const [, n] of list.matchAll(/\$(\d+)/g)) scalars.add(Number(n) - 1);
    return `(VALUES (${list.replaceAll('[]', '')}))`;
  });
}
