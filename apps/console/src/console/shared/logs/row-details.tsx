import type { TableProps } from 'antd';
import type { ReactNode } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

type ToggleProps = { open: boolean; onToggle: (event: React.MouseEvent<HTMLElement>) => void };

function Toggle({ open, onToggle }: ToggleProps) {
  const t = useMessages('logs');
  return (
    <button
      type="button"
      className={open ? 'close-button lg-toggle open' : 'close-button lg-toggle'}
      aria-expanded={open}
      onClick={onToggle}
    >
      <span>{t(open ? 'hideDetails' : 'showDetails')}</span>
      <Icon name="down" />
    </button>
  );
}

/** Expandable rows, for details that do not fit into a line. */
export const rowDetails = <Row,>(
  render: (row: Row) => ReactNode,
  columnTitle: ReactNode,
): NonNullable<TableProps<Row>['expandable']> => ({
  columnTitle,
  expandedRowRender: render,
  expandedRowClassName: 'lt-details',
  columnWidth: 56,
  expandIcon: ({ expanded, onExpand, record }) => (
    <Toggle open={expanded} onToggle={(event) => onExpand(record, event)} />
  ),
});
