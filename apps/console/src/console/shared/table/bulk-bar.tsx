import type { ReactNode } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { toast } from '../../../shared/ui/toast.js';
import type { Selection } from './use-selection.js';

type BulkBarProps<Row> = {
  selection: Selection<Row>;
  /** The largest number that may be deleted at once. */
  most: number;
  /** The messages when nothing or too much is ticked. */
  none: string;
  tooMany: string;
  /** The button's label; by default "delete". */
  verb?: string;
  onDelete: (rows: readonly Row[]) => void;
  /** Other actions on the ticked rows. */
  children?: ReactNode;
};

/** The number of ticked rows and the actions on them. */
export function BulkBar<Row>({ selection, most, none, tooMany, verb, onDelete, children }: BulkBarProps<Row>) {
  const t = useMessages('logs');
  const n = selection.ticked.length;
  const remove = (): void => {
    if (n === 0) toast.info(none);
    else if (n > most) toast.info(tooMany);
    else onDelete(selection.ticked);
  };
  return (
    <div className="lt-bulk">
      {n > 0 && (
        <>
          <span className="muted" role="status">
            {t('selected', { n })}
          </span>
          <button type="button" className="button button-text button-small" onClick={selection.clear}>
            {t('unselect')}
          </button>
        </>
      )}
      {children}
      <button type="button" className="button button-danger button-small" onClick={remove}>
        {verb ?? t('batchDelete')}
      </button>
    </div>
  );
}

/** The bar above the rows: filters and bulk actions. */
export const ListBar = ({ children }: { children: ReactNode }) => <div className="lt-bar">{children}</div>;
