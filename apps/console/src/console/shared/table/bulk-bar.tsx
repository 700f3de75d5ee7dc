import type { ReactNode } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { toast } from '../../../shared/ui/toast.js';
import type { Selection } from './use-selection.js';

type BulkBarProps<Row> = {
  selection: Selection<Row>;
  /** How many may be deleted at once. */
  most: number;
  /** What is said when nothing is ticked, and when it is more than that. */
  none: string;
  tooMany: string;
  onDelete: (rows: readonly Row[]) => void;
};

/** How many rows are ticked, and what can be done with all of them. */
export function BulkBar<Row>({ selection, most, none, tooMany, onDelete }: BulkBarProps<Row>) {
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
      <button type="button" className="button button-danger button-small" onClick={remove}>
        {t('batchDelete')}
      </button>
    </div>
  );
}

/** Above the rows: what narrows them, and what is done with those that are ticked. */
export const ListBar = ({ children }: { children: ReactNode }) => <div className="lt-bar">{children}</div>;
