import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { isTimed, type Plan } from './plan.js';
import { RateSkeleton, RateTable } from './rate-table.js';
import { Summary } from './summary.js';
import { usePlans } from './use-plans.js';
import './price.css';

const FACTS = ['validity', 'trial', 'payment', 'currency'] as const;

function Banner() {
  const t = useMessages('price');
  return (
    <div className="pr-banner">
      <div className="wrap">
        <h1>{t('title')}</h1>
        <dl>
          {FACTS.map((fact) => (
            <div key={fact}>
              <dt>{t(fact)}</dt>
              <dd>{t(`fact_${fact}`)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}

/** The second tier, as on the recharge page; else the first there is. */
const firstOf = (plans: readonly Plan[]): Plan | null =>
  plans.find((plan) => plan.tier === 'professional' && !isTimed(plan)) ?? plans[0] ?? null;

function OnSale({ plans }: { plans: readonly Plan[] }) {
  const t = useMessages('price');
  const [picked, setPicked] = useState<Plan | null>(null);
  const chosen = picked ?? firstOf(plans);
  if (chosen === null)
    return (
      <Empty
        title={t('empty')}
        action={
          <a className="btn btn-p" href="/contactUs">
            {t('contact')}
          </a>
        }
      >
        {t('emptyWhy')}
      </Empty>
    );
  return (
    <div className="pr-list">
      <RateTable plans={plans} chosen={chosen} onChoose={setPicked} />
      <Summary plan={chosen} />
    </div>
  );
}

/** /price (specification §2): open to everybody. */
export default function PricePage() {
  const t = useMessages('price');
  const { loaded, reload } = usePlans();
  return (
    <>
      <Banner />
      <div className="wrap pr-body">
        {loaded.state === 'loading' && (
          <div className="pr-list">
            <RateSkeleton />
            <i className="sk pr-sk-sum" aria-hidden="true" />
          </div>
        )}
        {loaded.state === 'failed' && (
          <ErrorState title={t('loadFailed')} onReload={reload}>
            {loaded.why}
          </ErrorState>
        )}
        {loaded.state === 'ready' && <OnSale plans={loaded.value} />}
      </div>
    </>
  );
}
