import type { Parameter } from '../rows/array-parameters.js';

/** A statement over rows that arrive as arrays: `$1` is the first parameter, and `unnest(…)` makes the rows. */
export type Statement = {
  name: string;
  /** CTEs that the text refers to, by name. */
  ctes?: Readonly<Record<string, string>>;
  text: string;
  parameters: readonly Parameter[];
  /** The number of rows. */
  rows: number;
};

type Value = Parameter['scalar'];

/** As node-postgres prepares it, once per connection and name. */
export type Query = { name: string; text: string; values: Value[] };

/** `scalars`: the parameters that are single values instead of arrays, counted from 0. */
type Text = { text: string; scalars: ReadonlySet<number> };
const texts = new Map<string, Text>();

/** Statements with the same name have the same text, so it is built once. */
function textOf(name: string, build: () => Text): Text {
  const text = texts.get(name) ?? build();
  texts.set(name, text);
  return text;
}

const valuesOf = (parameters: readonly Parameter[], { scalars }: Text): Value[] =>
  parameters.map((parameter, i) => (scalars.has(i) ? parameter.scalar : parameter.array));

/** One statement by itself. */
export function prepare({ name, ctes, text, parameters }: Statement): Query {
  const built = textOf(name, () => ({
    text: ctes ? `WITH ${named(ctes, 'MATERIALIZED').join(', ')} ${text}` : text,
    scalars: new Set(),
  }));
  return { name, text: built.text, values: valuesOf(parameters, built) };
}

/**
 * Several statements as one, atomic without BEGIN and COMMIT; returns the rows of the first, the condition. The others write only if its
 * column `ok` is true: raising an error would abort as well, but PostgreSQL would log each one. No statement sees what another one writes.
 * When each has a single row, parameters travel as scalars: PostgreSQL takes half the time for them.
 */
export function combine(statements: readonly [condition: Statement, ...others: Statement[]]): Query {
  const [condition] = statements;
  const single = statements.every((statement) => statement.rows === 1);
  const name = (single ? '1:' : '') + statements.map((statement) => statement.name).join('+');
  const parameters = statements.flatMap((statement) => statement.parameters);
  const built = textOf(name, () => {
    const scalars = new Set<number>();
    let offset = 0;
    const ctes = statements.flatMap((statement) => {
      const by = offset;
      offset += statement.parameters.length;
      const parts = { ...statement.ctes, [statement.name]: statement.text };
      return named(
        statement === condition ? parts : mapValues(parts, (text) => onlyIf(condition.name, text)),
        single ? 'NOT MATERIALIZED' : 'MATERIALIZED',
      )
        .map((cte) => cte.replaceAll(/\$(\d+)/g, (_, n) => `$${Number(n) + by}`))
        .map((cte) => (single ? withScalars(cte, scalars) : cte));
    });
    return { text: `WITH ${ctes.join(', ')} SELECT * FROM ${condition.name}`, scalars };
  });
  return { name, text: built.text, values: valuesOf(parameters, built) };
}

/** `text` ends in its WHERE or, without one, in its FROM; an upsert has its ON CONFLICT after that. PostgreSQL evaluates the condition once. */
function onlyIf(condition: string, text: string): string {
  if (isReading(text)) return text;
  const end = text.indexOf('\nON CONFLICT ');
  const [rows, upsert] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)];
  return `${rows} ${/\sWHERE\s/.test(rows) ? 'AND' : 'WHERE'} (SELECT ok FROM ${condition})${upsert}`;
}

const mapValues = (parts: Readonly<Record<string, string>>, change: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, change(text)]));

/** A CTE that writes is always materialized. */
const named = (ctes: Readonly<Record<string, string>>, how: string): string[] =>
  Object.entries(ctes).map(([name, text]) => `${name} AS ${isReading(text) ? how : ''} (${text})`);

const isReading = (text: string): boolean => text.trimStart().startsWith('SELECT * FROM unnest');

function withScalars(text: string, scalars: Set<number>): string {
  return text.replaceAll(/unnest\(([^)]*)\)/g, (_, list: string) => {
    for (const [, n] of list.matchAll(/\$(\d+)/g)) scalars.add(Number(n) - 1);
    return `(VALUES (${list.replaceAll('[]', '')}))`;
  });
}
