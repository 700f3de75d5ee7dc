import { TERMS_AT_ONCE } from '@yiqiao/contracts/glossary';
import { useTexts } from '../../shared/i18n/texts.js';
import type { Selection } from '../../shared/table/use-selection.js';
import { toast } from '../../shared/ui/toast.js';
import type { Task } from './term-dialog.js';
import type { TermRow } from './use-term-table.js';

/** How many are ticked, and what can be done with all of them. */
export function SelectionBar({ selection, start }: { selection: Selection<TermRow>; start: (task: Task) => void }) {
  const t = useTexts('glossary');
  const n = selection.ticked.length;
  const remove = (): void => {
    if (n === 0) toast.info(t('noneSelected'));
    else if (n > TERMS_AT_ONCE) toast.info(t('tooManySelected', { n: TERMS_AT_ONCE }));
    else start({ kind: 'remove', terms: selection.ticked });
  };
  return (
    <div className="gl-selection">
      {n > 0 && (
        <>
          <span className="muted" role="status">
            {t('selected', { n })}
          </span>
          <button type="button" className="btn btn-t btn-sm" onClick={selection.clear}>
            {t('unselect')}
          </button>
        </>
      )}
      <button type="button" className="btn btn-x btn-sm" onClick={remove}>
        {t('batchDelete')}
      </button>
    </div>
  );
}
