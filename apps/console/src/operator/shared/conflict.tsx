import './conflict.css';
import { Button } from 'antd';
import { useMessages } from '../../shared/i18n/messages.js';
import { Icon } from '../../shared/ui/icon.js';

/** A field that the two versions have differently, as text. */
export type Disagreement = { label: string; theirs: string; yours: string };

type Props = {
  by: string;
  at: string;
  rows: readonly Disagreement[];
  onTheirs: () => void;
  onMine: () => void;
};

/** Somebody else saved meanwhile: theirs beside yours, and the choice which to go on with (OPERATOR.md §8). */
export function Conflict({ by, at, rows, onTheirs, onMine }: Props) {
  const t = useMessages('operator');
  return (
    <section className="conflict" role="alert">
      <div className="conflict-head">
        <Icon name="alert" />
        <span>
          <b>{t('conflict')}</b> {t('conflictWhy', { by, at })}
        </span>
      </div>
      {rows.length === 0 ? (
        <p className="conflict-same">{t('conflictSame')}</p>
      ) : (
        <div className="table-scroll">
          <table className="conflict-table">
            <thead>
              <tr>
                <th scope="col">{t('conflictField')}</th>
                <th scope="col">{t('conflictTheirs')}</th>
                <th scope="col">{t('conflictYours')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ label, theirs, yours }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{theirs || '—'}</td>
                  <td>{yours || '—'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="conflict-foot">
        <Button size="small" onClick={onTheirs}>
          {t('useTheirs')}
        </Button>
        <Button size="small" onClick={onMine}>
          {t('keepMine')}
        </Button>
      </div>
    </section>
  );
}
