import { Link } from 'react-router';
import { useTexts, type T } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { Card } from '../../shared/ui/console/card.js';
import { sharesOf, type ShareRow, type Usage } from './usage-scale.js';

const SHOWN = 6;

const nameOf = ({ kind, name }: ShareRow, t: T<'overview'>): string => {
  if (kind === 'child') return name;
  // Deleted sub-accounts count in the family's total and have no name any more.
  return t(kind === 'others' ? 'shareOthers' : 'shareOwn');
};

/** Who in the family used how much of it; for a main account whose sub-accounts have used something. */
export function UsageShare({ usage }: { usage: Usage }) {
  const t = useTexts('overview');
  return (
    <Card
      className="ov-share"
      title={t('shareTitle', { n: usage.days.length })}
      note={
        <Link className="link" to="/UserCenterChild">
          {t('shareAll')}
        </Link>
      }
    >
      <ul>
        {sharesOf(usage, SHOWN).map((row, at) => (
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
    </Card>
  );
}
