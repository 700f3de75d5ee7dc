import { Link } from 'react-router';
import { useMessages, type Translate } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { messageOf } from '../../../shared/api/api-error.js';
import { Card } from '../../../shared/ui/card.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { sharesOf, type ShareRow } from './usage-scale.js';
import { UsageDays, type UsageProps } from './usage-days.js';

const SHOWN = 6;

const nameOf = ({ kind, name }: ShareRow, t: Translate<'overview'>): string => {
  if (kind === 'child') return name;
  return t(kind === 'others' ? 'shareOthers' : 'shareOwn');
};

function Shares({ rows }: { rows: readonly ShareRow[] }) {
  const t = useMessages('overview');
  return (
    <ul>
      {rows.map((row, at) => (
        <li key={`${row.kind}${at}`}>
          <span className={row.kind === 'child' ? 'dynamic-text' : ''}>{nameOf(row, t)}</span>
          <span className="numeric">
            {t('chartChars', { n: grouped(row.charNum) })}
            <small>{`${row.percent < 10 ? row.percent.toFixed(1) : Math.round(row.percent)}%`}</small>
          </span>
          <i className={`ov-share-${row.kind}`} style={{ width: `${row.width}%` }} aria-hidden="true" />
        </li>
      ))}
    </ul>
  );
}

const WAITING = ['78%', '54%', '66%'];

/** Usage by family member, for main accounts. */
export function UsageShare({ days, query }: UsageProps) {
  const t = useMessages('overview');
  const { data, isPending, isError, error, refetch } = query;
  const rows = data && data.children.length > 0 ? sharesOf(data, SHOWN) : [];
  return (
    <Card className="ov-share" title={t('shareTitle', { n: days })} note={<UsageDays />}>
      {isPending && (
        <div className="ov-share-wait" aria-hidden="true">
          {WAITING.map((width) => (
            <i key={width} className="skeleton" style={{ width }} />
          ))}
        </div>
      )}
      {isError && (
        <ErrorState title={t('usageFailed')} onReload={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      )}
      {data && rows.length === 0 && <p>{t('shareNone')}</p>}
      {rows.length > 0 && <Shares rows={rows} />}
      <Link className="link" to="/UserCenterChild">
        {t('shareAll')}
      </Link>
    </Card>
  );
}
