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
 * Several statements as one, all or nothing without BEGIN and COMMIT; answers the rows of the first. None of them sees what another
 * one writes, and which of them runs first is not said. When each has one row, its columns travel as single values: PostgreSQL takes
 * half the time for them.
 */
export function together(statements: readonly Statement[]): Query {
  const single = statements.every((statement) => statement.rows === 1);
  const name = (single ? '1:' : '') + statements.map((statement) => statement.name).join('+');
  const columns = statements.flatMap((statement) => statement.columns);
  const built = textOf(name, () => {
    const scalars = new Set<number>();
    let shift = 0;
    const ctes = statements.flatMap((statement) => {
      const by = shift;
      shift += statement.columns.length;
      return named(
        { ...statement.ctes, [statement.name]: statement.text },
        single ? 'NOT MATERIALIZED' : 'MATERIALIZED',
      )
        .map((cte) => cte.replaceAll(/\$(\d+)/g, (_, n) => `$${Number(n) + by}`))
        .map((cte) => (single ? withoutColumns(cte, scalars) : cte));
    });
    return { text: `WITH ${ctes.join(', ')} SELECT * FROM ${statements[0]?.name}`, scalars };
  });
  return { name, text: built.text, values: valuesOf(columns, built) };
}

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
