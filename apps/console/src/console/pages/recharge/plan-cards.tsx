import { useId } from 'react';
import { useMember } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { yuan } from '../../../shared/ledger/amount-text.js';
import { planSize, referenceText } from '../../../shared/payment/plan-text.js';
import { planName, type Plan } from './plan.js';
import { TierBadge } from './tier-badge.js';

const GROUPS = [
  { mode: 'char', title: 'charGroup', note: 'charGroupNote' },
  { mode: 'time', title: 'timeGroup', note: 'timeGroupNote' },
] as const;

type CardProps = { plan: Plan; chosen: boolean; onChoose: () => void };

function PlanCard({ plan, chosen, onChoose }: CardProps) {
  const t = useTexts('recharge');
  const own = useMember().memberGroupId === plan.id;
  return (
    <label className="rc-plan">
      <input type="radio" name="plan" value={plan.id} checked={chosen} onChange={onChoose} />
      <b>{planName(plan)}</b>
      <span className="rad" aria-hidden="true" />
      <span className="rc-size num">
        {planSize(plan.translationBillingMode, plan.num)}
        <small>{referenceText(plan.referenceChannelId)}</small>
      </span>
      <span className="rc-price num">
        <small>¥</small>
        {yuan(plan.salePrice)}
      </span>
      <span className="rc-badges">
        <TierBadge tier={plan.tier} />
        {own && <span className="tag">{t('current')}</span>}
      </span>
    </label>
  );
}

type PlanCardsProps = { plans: readonly Plan[]; chosen: Plan | null; onChoose: (plan: Plan) => void };

/** Character users and monthly users: two groups of cards, of which one card can be chosen (specification §2). */
export function PlanCards({ plans, chosen, onChoose }: PlanCardsProps) {
  const t = useTexts('recharge');
  const id = useId();
  return (
    <div className="card" role="radiogroup" aria-label={t('plans')}>
      {GROUPS.map(({ mode, title, note }) => {
        const group = plans.filter((plan) => (plan.translationBillingMode === 'time' ? 'time' : 'char') === mode);
        if (group.length === 0) return null;
        return (
          <section key={mode} className="rc-group" aria-labelledby={`${id}-${mode}`}>
            <h2 id={`${id}-${mode}`}>
              {t(title)}
              <small>{t(note)}</small>
            </h2>
            <div className="rc-plans">
              {group.map((plan) => (
                <PlanCard key={plan.id} plan={plan} chosen={plan.id === chosen?.id} onChoose={() => onChoose(plan)} />
              ))}
            </div>
          </section>
        );
      })}
    </div>
  );
}

const PLACES = [5, 3];

/** Cards of the real size while they load. */
export function PlanSkeleton() {
  const t = useTexts('shared');
  return (
    <div className="card" role="status">
      <span className="vh">{t('loading')}</span>
      {PLACES.map((cards) => (
        <div key={cards} className="rc-group" aria-hidden="true">
          <i className="sk rc-sk-head" />
          <div className="rc-plans">
            {Array.from({ length: cards }, (_, card) => (
              <div key={card} className="rc-plan rc-sk">
                <i className="sk" />
                <i className="sk" />
                <i className="sk" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
