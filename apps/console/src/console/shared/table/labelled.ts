import type { TableColumnType } from 'antd';
import type { HTMLAttributes } from 'react';

export type Column<Row> = TableColumnType<Row> & { title: string };

/**
 * Each cell knows its heading, so that on a phone a row can be read as a list (list-table.css). With a `prefix` it also has a class,
 * the prefix and the key of its column, for what one list alone lays out.
 */
export const labelled = <Row>(columns: readonly Column<Row>[], prefix?: string): TableColumnType<Row>[] =>
  columns.map((column) => ({
    ...column,
    ...(prefix === undefined ? {} : { className: `${prefix}-${String(column.key)}` }),
    onCell: () => ({ 'data-label': column.title }) as HTMLAttributes<HTMLElement>,
  }));
