import { Checkbox, type TableColumnType } from 'antd';
import type { Selection } from './use-selection.js';

type TickColumn<Row> = {
  selection: Selection<Row>;
  /** The labels of the checkboxes for the page and for a row. */
  pageLabel: string;
  rowLabel: (row: Row) => string;
};

/** The column of checkboxes. */
export const tickColumn = <Row,>({ selection, pageLabel, rowLabel }: TickColumn<Row>): TableColumnType<Row> => ({
  key: 'selection',
  className: 'lt-tick',
  width: 56,
  title: (
    <Checkbox
      aria-label={pageLabel}
      checked={selection.page === 'all'}
      indeterminate={selection.page === 'some'}
      onChange={selection.togglePage}
    />
  ),
  render: (_, row) => (
    <Checkbox aria-label={rowLabel(row)} checked={selection.isTicked(row)} onChange={() => selection.toggle(row)} />
  ),
});
