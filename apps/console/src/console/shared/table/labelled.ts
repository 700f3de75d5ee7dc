import type { TableColumnType } from 'antd';
import type { HTMLAttributes } from 'react';

export type Column<Row> = TableColumnType<Row> & { title: string };

/**
 * Gives each cell its heading as `data-label` for the phone layout (list-table.css). With a `prefix` it also has a class,
 * prefix and column key, for the layout of one list.
 */
export const labelled = <Row>(columns: readonly Column<Row>[], prefix?: string): TableColumnType<Row>[] =>
  columns.map((column) => ({
    ...column,
    ...(prefix === undefined
      ? {}
      : { className: `${prefix}-${String(column.key)} ${column.className ?? ''}`.trimEnd() }),
    onCell: () => ({ 'data-label': column.title }) as HTMLAttributes<HTMLElement>,
  }));
