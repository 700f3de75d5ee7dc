import { useState } from 'react';

type Selected<Row> = {
  /** The filters: a change clears the selection. */
  question: string;
  /** The rows on screen. */
  rows: readonly Row[];
  idOf: (row: Row) => number;
};

/** Ticked rows, across the pages of one query. */
export function useSelection<Row>({ question, rows, idOf }: Selected<Row>) {
  const [{ of, ticked }, setTicked] = useState<{ of: string; ticked: readonly Row[] }>({ of: question, ticked: [] });
  const current = of === question ? ticked : [];
  const isTicked = (row: Row): boolean => current.some((other) => idOf(other) === idOf(row));
  const set = (some: readonly Row[]): void => setTicked({ of: question, ticked: some });
  const onPage = rows.filter(isTicked).length;
  return {
    // With their current data, if they are on screen.
    ticked: current.map((row) => rows.find((now) => idOf(now) === idOf(row)) ?? row),
    page: onPage === 0 ? 'none' : onPage === rows.length ? 'all' : 'some',
    isTicked,
    clear: () => set([]),
    toggle: (row: Row) => set(isTicked(row) ? current.filter((other) => idOf(other) !== idOf(row)) : [...current, row]),
    togglePage: () =>
      set(
        onPage === rows.length
          ? current.filter((row) => !rows.some((shown) => idOf(shown) === idOf(row)))
          : [...current, ...rows.filter((row) => !isTicked(row))],
      ),
  } as const;
}

export type Selection<Row> = ReturnType<typeof useSelection<Row>>;
