import type { TableProps } from 'antd';
import type { ReactNode } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

type ToggleProps = { name: string; open: boolean; onToggle: (event: React.MouseEvent<HTMLElement>) => void };

function Toggle({ name, open, onToggle }: ToggleProps) {
  const t = useMessages('logs');
  const verb = t(open ? 'hideDetails' : 'showDetails');
  return (
    <button
      type="button"
      className={open ? 'close-button lg-toggle open' : 'close-button lg-toggle'}
      aria-expanded={open}
      aria-label={t('ofRow', { verb, name })}
      onClick={onToggle}
    >
      <span>{verb}</span>
      <Icon name="down" />
    </button>
  );
}

type Details<Row> = {
  render: (row: Row) => ReactNode;
  columnTitle: ReactNode;
  /** What tells the row from the others on the page. */
  nameOf: (row: Row) => string;
};

/** Expandable rows, for details that do not fit into a line. */
export const rowDetails = <Row,>({
  render,
  columnTitle,
  nameOf,
}: Details<Row>): NonNullable<TableProps<Row>['expandable']> => ({
  columnTitle,
  expandedRowRender: render,
  expandedRowClassName: 'lt-details',
  columnWidth: 56,
  expandIcon: ({ expanded, onExpand, record }) => (
    <Toggle name={nameOf(record)} open={expanded} onToggle={(event) => onExpand(record, event)} />
  ),
});
