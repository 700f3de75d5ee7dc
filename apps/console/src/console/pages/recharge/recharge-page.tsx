import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { messageOf } from '../../../shared/api/api-error.js';
import { freshUser, useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePackageWarning } from '../../shared/package-warning/package-warning.js';
import { warningText } from '../../shared/package-warning/warning.js';
import { grouped } from '../../../shared/amounts.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { Icon } from '../../../shared/ui/icon.js';
import { OrderCard, type OrderRequest } from './order-card.js';
import { PlanCards, PlanSkeleton } from './plan-cards.js';
import { firstPlan, type Plan } from './plan.js';
import { usePay } from './use-pay.js';
import { useSale } from './use-sale.js';
import './recharge.css';

/** `?memberGroupId=7`: the package chosen on the price page. */
function useLinkedPlan(): number | null {
  const [query] = useSearchParams();
  const text = query.get('memberGroupId') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The member's current balance or expiry. */
function CurrentPackage() {
  const t = useMessages('recharge');
  const say = useMessages('package-warning');
  const { memberGroup, memberAccount } = useMember();
  const current = usePackageWarning();
  // The rest is frozen until the next package, so it is not shown as usable.
  if (current?.warning.kind === 'expired') return <p>{warningText(current.warning, { main: true, t: say })}</p>;
  if (memberGroup.translationBillingMode === 'char')
    return (
      <p>
        {t('valid')}
        {t('left')} <b className="numeric">{grouped(memberAccount.usableCharNum)}</b> {t('leftUnit')}
      </p>
    );
  const until = memberAccount.expireDateTime;
  return (
    <p>
      {t('valid')}
      {until === null ? t('noPackage') : t('expiresAt')}{' '}
      {until !== null && <b className="numeric">{until.slice(0, 16)}</b>}
    </p>
  );
}

/** /UserCenterRecharge (specification §2, §4): main accounts only. */
export default function RechargePage() {
  const t = useMessages('recharge');
  const user = useMember();
  const linked = useLinkedPlan();
  const { plans, methods, usdt } = useSale();
  const [picked, setPicked] = useState<Plan['id'] | null>(null);
  const { busy, pay, outcome, forget, dialog } = usePay(usdt);
  useEffect(() => {
    freshUser().catch(() => undefined); // the stored member may be older than the last translation
  }, []);
  const sale = plans.data ?? [];
  // If the chosen package is gone, none is chosen, so that no other one is bought by mistake.
  const chosen =
    picked === null ? firstPlan(sale, linked, user.memberGroupId) : (sale.find(({ id }) => id === picked) ?? null);
  const choose = ({ id }: Plan): void => {
    forget();
    setPicked(id);
  };
  const order = (request: OrderRequest): void => {
    setPicked(request.plan.id);
    pay(request);
  };

  return (
    <>
      <PageHeader title={t('title')} note={<CurrentPackage />}>
        <Link className="button button-default" to="/UserCenterOrder">
          {t('orders')}
        </Link>
      </PageHeader>
      {plans.isError && (
        <div className="card">
          <ErrorState title={t('loadFailed')} onReload={() => void plans.refetch()}>
            {messageOf(plans.error)}
          </ErrorState>
        </div>
      )}
      {plans.data?.length === 0 && (
        <div className="card">
          <Empty
            title={t('empty')}
            action={
              <a className="button button-primary" href="/contactUs">
                {t('contact')}
              </a>
            }
          >
            {t('emptyWhy')}
          </Empty>
        </div>
      )}
      {plans.data && linked !== null && !sale.some(({ id }) => id === linked) && sale.length > 0 && (
        <p className="note warning rc-stale">
          <Icon name="info" />
          <span>{t('notOnSale')}</span>
        </p>
      )}
      {(plans.isPending || sale.length > 0) && (
        <div className="rc-page">
          {plans.isPending ? <PlanSkeleton /> : <PlanCards plans={sale} chosen={chosen} onChoose={choose} />}
          <OrderCard plan={chosen} methods={methods} busy={busy} outcome={outcome} onEdit={forget} onPay={order} />
        </div>
      )}
      {dialog}
    </>
  );
}
