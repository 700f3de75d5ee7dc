import { USAGE_DAYS } from '@yiqiao/domain/limits';
import { Link } from 'react-router';
import { useTexts, type T } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { Card } from '../../shared/ui/console/card.js';
import { sharesOf, type ShareRow } from './usage-scale.js';
import type { UsageQuery } from './use-usage.js';

const SHOWN = 6;

const nameOf = ({ kind, name }: ShareRow, t: T<'overview'>): string => {
  if (kind === 'child') return name;
  // Deleted sub-accounts count in the family's total and have no name any more.
  return t(kind === 'others' ? 'shareOthers' : 'shareOwn');
};

function Shares({ rows }: { rows: readonly ShareRow[] }) {
  const t = useTexts('overview');
  return (
    <ul>
      {rows.map((row, at) => (
        <li key={`${row.kind}${at}`}>
          <span className={row.kind === 'child' ? 'dyn' : ''}>{nameOf(row, t)}</span>
          <span className="num">
            {t('chartChars', { n: grouped(row.charNum) })}
            <small>{`${row.percent < 10 ? row.percent.toFixed(1) : Math.round(row.percent)}%`}</small>
          </span>
          <i className={row.kind} style={{ width: `${row.width}%` }} aria-hidden="true" />
        </li>
      ))}
    </ul>
  );
}

const WAITING = ['78%', '54%', '66%'];

/** Who in the family used how much of it, for main accounts. */
export function UsageShare({ query }: { query: UsageQuery }) {
  const t = useTexts('overview');
  const { data, isPending, isError } = query;
  const rows = data && data.children.length > 0 ? sharesOf(data, SHOWN) : [];
  return (
    <Card
      className="ov-share"
      title={t('shareTitle', { n: USAGE_DAYS })}
      note={
        <Link className="link" to="/UserCenterChild">
          {t('shareAll')}
        </Link>
      }
    >
      {isPending && (
        <div className="ov-share-wait" aria-hidden="true">
          {WAITING.map((width) => (
            <i key={width} className="sk" style={{ width }} />
          ))}
        </div>
      )}
      {!isPending && rows.length === 0 && <p>{t(isError ? 'usageFailed' : 'shareNone')}</p>}
      {rows.length > 0 && <Shares rows={rows} />}
    </Card>
  );
}
