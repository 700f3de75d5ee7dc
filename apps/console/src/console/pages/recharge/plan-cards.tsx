import { useId } from 'react';
import { useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { yuan } from '../../../shared/amounts.js';
import { planSize, referenceText } from '../../../shared/payment/plan-text.js';
import { type Plan, planName } from './plan.js';

/** A bridge with more spans for higher tiers; the AI tiers have their own mark. */
const MARKS = {
  standard: 'M2 12C2 4 22 4 22 12M0 13h24',
  professional: 'M1 12C1 5 11 5 11 12M13 12C13 5 23 5 23 12M0 13h24',
  high: 'M0 12C0 6 7 6 7 12M8.5 12C8.5 6 15.5 6 15.5 12M17 12C17 6 24 6 24 12M0 13h24',
  ai: 'M12 .5C12.700 4.700 14.300 6.300 18.500 7 14.300 7.700 12.700 9.300 12 13.500 11.300 9.300 9.700 7.700 5.500 7 9.700 6.300 11.300 4.700 12 .5z',
  gpt: 'M4.500 1h15v9h-8l-3.500 3v-3h-3.500z',
} as const;
type Tier = keyof typeof MARKS;

const isTier = (tier: string): tier is Tier => Object.hasOwn(MARKS, tier);

/** The mark of one of the five tiers (specification §3); a package of any other tier has none. */
const TierMark = ({ tier }: { tier: string }) =>
  isTier(tier) && (
    <svg className="rc-tier" viewBox="0 0 24 14" fill="none" stroke="currentColor" strokeWidth="1.4" aria-hidden="true">
      <path d={MARKS[tier]} />
    </svg>
  );

const GROUPS = [
  { mode: 'char', title: 'charGroup', note: 'charGroupNote' },
  { mode: 'time', title: 'timeGroup', note: 'timeGroupNote' },
] as const;

type CardProps = { plan: Plan; chosen: boolean; onChoose: () => void };

function PlanCard({ plan, chosen, onChoose }: CardProps) {
  const t = useMessages('recharge');
  const own = useMember().memberGroupId === plan.id;
  return (
    <label className="rc-plan">
      <input type="radio" name="plan" value={plan.id} checked={chosen} onChange={onChoose} />
      <b>
        {planName(plan)} <TierMark tier={plan.tier} />
      </b>
      <span className="radio-dot" aria-hidden="true" />
      <span className="rc-size numeric">
        {planSize(plan.translationBillingMode, plan.num)}
        <small>{referenceText(plan.referenceChannelId)}</small>
      </span>
      <span className="rc-price numeric">
        <small>¥</small>
        {yuan(plan.salePrice)}
      </span>
      {own && (
        <span className="rc-own">
          <span className="badge">{t('current')}</span>
        </span>
      )}
    </label>
  );
}

type PlanCardsProps = { plans: readonly Plan[]; chosen: Plan | null; onChoose: (plan: Plan) => void };

/** Character users and monthly users: two groups of cards, of which one card can be chosen (specification §2). */
export function PlanCards({ plans, chosen, onChoose }: PlanCardsProps) {
  const t = useMessages('recharge');
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
  const t = useMessages('shared');
  return (
    <div className="card" role="status">
      <span className="visually-hidden">{t('loading')}</span>
      {PLACES.map((cards) => (
        <div key={cards} className="rc-group" aria-hidden="true">
          <i className="skeleton rc-sk-head" />
          <div className="rc-plans">
            {Array.from({ length: cards }, (_, card) => (
              <div key={card} className="rc-plan rc-sk">
                <i className="skeleton" />
                <i className="skeleton" />
                <i className="skeleton" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
