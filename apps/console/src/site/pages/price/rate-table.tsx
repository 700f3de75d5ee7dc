import { useId } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { yuan } from '../../../shared/ledger/amount-text.js';
import { planDays, planSize, referenceText } from '../../../shared/payment/plan-text.js';
import { isTimed, planName, unitPrice, type Plan } from './plan.js';

const GROUPS = [
  { timed: false, title: 'charTitle', note: 'charNote' },
  { timed: true, title: 'timeTitle', note: 'timeNote' },
] as const;

type RowProps = { plan: Plan; chosen: boolean; onChoose: () => void };

function Row({ plan, chosen, onChoose }: RowProps) {
  const t = useMessages('price');
  const timed = isTimed(plan);
  const reference = referenceText(plan.referenceChannelId);
  return (
    <label className="pr-row">
      <input type="radio" name="plan" value={plan.id} checked={chosen} onChange={onChoose} />
      <span className="rad" aria-hidden="true" />
      <b>{planName(plan)}</b>
      <span className="num">
        {timed ? t('noLimit') : planSize('char', plan.num)}
        {timed ? (
          <small className="pr-narrow">
            {planDays(plan.num)} {reference}
          </small>
        ) : (
          <small>{reference}</small>
        )}
      </span>
      <span className="num">
        {timed ? planDays(plan.num) : t('unitPrice', { yuan: unitPrice(plan) })}
        {timed && <small>{reference}</small>}
      </span>
      <span>{t(plan.createChildUser ? 'subAccounts' : 'noSubAccounts')}</span>
      <span className="pr-price num">
        <small>¥</small>
        {yuan(plan.salePrice)}
      </span>
    </label>
  );
}

type RateTableProps = { plans: readonly Plan[]; chosen: Plan | null; onChoose: (plan: Plan) => void };

/** A rate table, not cards: one row per package, of which one can be chosen (DESIGN §3). */
export function RateTable({ plans, chosen, onChoose }: RateTableProps) {
  const t = useMessages('price');
  const id = useId();
  return (
    <div role="radiogroup" aria-label={t('plans')}>
      {GROUPS.map(({ timed, title, note }) => {
        const group = plans.filter((plan) => isTimed(plan) === timed);
        if (group.length === 0) return null;
        return (
          <section key={title} aria-labelledby={`${id}-${title}`}>
            <h2 id={`${id}-${title}`}>
              {t(title)} <small>{t(note)}</small>
            </h2>
            {group.map((plan) => (
              <Row key={plan.id} plan={plan} chosen={plan.id === chosen?.id} onChoose={() => onChoose(plan)} />
            ))}
          </section>
        );
      })}
    </div>
  );
}

/** Rows of the real height while they load. */
export function RateSkeleton() {
  const t = useMessages('shared');
  return (
    <div role="status">
      <span className="vh">{t('loading')}</span>
      <i className="sk pr-sk-head" aria-hidden="true" />
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="pr-sk" aria-hidden="true">
          <i className="sk" />
          <i className="sk" />
          <i className="sk" />
        </div>
      ))}
    </div>
  );
}
