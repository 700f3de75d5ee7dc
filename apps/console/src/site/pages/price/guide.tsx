import { use, useId, type ReactNode } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { planDays, planSize } from '../../../shared/payment/plan-text.js';
import { SiteDataContext } from '../../../shared/site/site-data.js';
import { Icon } from '../../../shared/ui/icon.js';
import { nonBreaking } from '../../shared/non-breaking.js';
import { isTimed, planName, unitPrice, type Plan } from './plan.js';

/** What translations are like on channels of each price level, whose names are proper names or a message. */
const QUALITIES = ['General', 'Deepl', 'Chatgpt'] as const;

const COLUMNS = ['columnChannel', 'columnUnit', 'columnVoice', 'columnImages', 'columnTeam'] as const;

/** Roles are explicit because narrow screens show rows as blocks, which would lose them. */
function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td role="cell">
      <span className="price-cell-label" aria-hidden="true">
        {label}
      </span>
      <span>{children}</span>
    </td>
  );
}

/** Every package: channel and quality, unit price, voice and pictures, team. */
export function Comparison({ plans }: { plans: readonly Plan[] }) {
  const t = useMessages('price');
  const id = useId();
  return (
    <section className="price-part" aria-labelledby={id}>
      <h2 id={id}>{t('comparisonTitle')}</h2>
      <p className="muted">{nonBreaking(t('comparisonLead'))}</p>
      <dl className="price-qualities">
        {QUALITIES.map((quality) => (
          <div key={quality}>
            <dt>{t(`channel${quality}`)}</dt>
            <dd>{t(`quality${quality}`)}</dd>
          </div>
        ))}
      </dl>
      <table className="price-comparison" role="table" aria-labelledby={id}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {t('columnPlan')}
            </th>
            {COLUMNS.map((column) => (
              <th key={column} role="columnheader" scope="col">
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {plans.map((plan) => (
            <tr key={plan.id} role="row">
              <th role="rowheader" scope="row">
                <span className="dynamic-text">{planName(plan)}</span>
                <small>{isTimed(plan) ? t('noLimit') : planSize('char', plan.num)}</small>
              </th>
              <Cell label={t('columnChannel')}>
                {channelNameOf(plan.referenceChannelId) ?? plan.referenceChannelId}
                {plan.tranChannelId !== null && <small>{t('setsChannel')}</small>}
              </Cell>
              <Cell label={t('columnUnit')}>
                {isTimed(plan)
                  ? t('perPeriod', { days: planDays(plan.num) })
                  : t('unitPrice', { yuan: unitPrice(plan) })}
              </Cell>
              <Cell label={t('columnVoice')}>{t('uses', { n: grouped(plan.voiceNum) })}</Cell>
              <Cell label={t('columnImages')}>{t('images', { n: grouped(plan.imageNum) })}</Cell>
              <Cell label={t('columnTeam')}>{t(plan.createChildUser ? 'unlimitedTeam' : 'noTeam')}</Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const QUESTIONS = ['Count', 'Trial', 'Expiry', 'Conversion', 'Team', 'Refund', 'Invoice'] as const;
const MORE = {
  Refund: { to: '/refund', text: 'readRefund' },
} as const;

/** The trial's quota as operators have set it; without figures where the document brings none. */
export function useTrialText(): string {
  const t = useMessages('price');
  const { trial } = use(SiteDataContext);
  if (trial === undefined) return t('fact_trial');
  const { charNum, voiceNum, imageNum } = trial;
  return t('trialQuota', { chars: grouped(charNum), voice: grouped(voiceNum), images: grouped(imageNum) });
}

/** The rules of decisions §3 to §5, in the words of a buyer. */
export function Questions() {
  const t = useMessages('price');
  const id = useId();
  const trial = useTrialText();
  return (
    <section className="price-part" aria-labelledby={id}>
      <h2 id={id}>{t('questionsTitle')}</h2>
      <div className="price-questions">
        {QUESTIONS.map((question) => {
          const more = question in MORE ? MORE[question as keyof typeof MORE] : null;
          return (
            <details key={question}>
              <summary>
                {t(`ask${question}`)}
                <Icon name="down" />
              </summary>
              <p>{nonBreaking(t(`answer${question}`, { trial }))}</p>
              {more && (
                <p>
                  <a href={more.to}>{t(more.text)}</a>
                </p>
              )}
            </details>
          );
        })}
      </div>
    </section>
  );
}
