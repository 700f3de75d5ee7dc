import { Link, useNavigate } from 'react-router';
import { messageOf } from '../../../shared/api/api-error.js';
import { useMessages, type Translate } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { dayLink } from '../../shared/logs/log-link.js';
import { UsageChart, UsageSkeleton } from '../../shared/usage/usage-chart.js';
import { scaleOf, totalOf } from '../../shared/usage/usage-scale.js';
import { meanText } from '../../shared/usage/usage-text.js';
import { UsageDays, type UsageProps } from './usage-days.js';
import { isUnused, type UsageDay } from './usage-scale.js';
import './usage.css';

/** `56,200 字符`, and voice and images where there were any. */
const usedText = ({ charNum, voiceNum, imageNum }: UsageDay, t: Translate<'overview'>): string =>
  [
    t('chartChars', { n: grouped(charNum) }),
    voiceNum > 0 && t('chartVoice', { n: grouped(voiceNum) }),
    imageNum > 0 && t('chartImages', { n: grouped(imageNum) }),
  ]
    .filter(Boolean)
    .join(' · ');

/** The same figures for screen readers. */
function UsageTable({ days }: { days: readonly UsageDay[] }) {
  const t = useMessages('overview');
  return (
    <div className="visually-hidden">
      <table>
        <caption>{t('usage', { n: days.length })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('tableDay')}</th>
            <th scope="col">{t('tableChars')}</th>
            <th scope="col">{t('tableVoice')}</th>
            <th scope="col">{t('tableImages')}</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row">{day.date}</th>
              <td>{grouped(day.charNum)}</td>
              <td>{grouped(day.voiceNum)}</td>
              <td>{grouped(day.imageNum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Usage per day (specification §2; decisions §9: user/usage). */
export function UsageCard({ days, query }: UsageProps) {
  const t = useMessages('overview');
  const navigate = useNavigate();
  const { data, isPending, isError, error, refetch } = query;
  const used = data && !isUnused(data.days) ? data.days : null;
  const scale = scaleOf(Math.max(0, ...(used ?? []).map((day) => day.charNum)));
  const mean = used ? meanText(totalOf(used) / used.length, scale) : '';
  return (
    <Card
      className="ov-usage"
      title={t('usage', { n: days })}
      note={
        <>
          {used && <span className="numeric">{t(scale.inThousands ? 'meanThousands' : 'mean', { mean })}</span>}
          <UsageDays />
        </>
      }
    >
      {isError && (
        <ErrorState title={t('usageFailed')} onReload={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      )}
      {isPending && <UsageSkeleton days={days} />}
      {data && !used && (
        <Empty
          title={t('usageEmpty', { n: days })}
          action={
            <Link className="button button-default" to="/UserCenterChangeTranslateTest">
              {t('translate')}
            </Link>
          }
        >
          {t('usageEmptyWhy')}
        </Empty>
      )}
      {used && (
        <UsageChart
          days={used}
          scale={scale}
          label={t('chartLabel')}
          usedText={(day) => usedText(day, t)}
          open={{ hint: t('chartHint'), go: ({ date }) => void navigate(dayLink(date)) }}
        />
      )}
      {used && <UsageTable days={used} />}
    </Card>
  );
}
