import type { previewOrder } from '@yiqiao/contracts/orders';
import { useCallback, useId } from 'react';
import { callRoute } from '../../../shared/api/call.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { PurchasePreview } from '../../../shared/payment/purchase-preview.js';
import { useLoaded } from '../../shared/use-loaded.js';

// Only method and path: importing the endpoint would add every contract's schema to the bundle.
const READ = { method: 'GET', path: '/orderByMemberGroup/preview' } as const satisfies Pick<
  typeof previewOrder,
  'method' | 'path'
>;

/** What one package does to the balances of the signed-in main account. Loaded for members only. */
export function OwnPreview({ planId }: { planId: number }) {
  const t = useMessages('payment');
  const id = useId();
  const load = useCallback(
    (signal: AbortSignal) =>
      callRoute<typeof previewOrder>(READ, { memberGroupId: String(planId), salesNum: '1' }, { signal }),
    [planId],
  );
  const { loaded, reload } = useLoaded(load);
  return (
    <section className="price-worth" aria-labelledby={id}>
      <p id={id}>{t('ifPaidNow')}</p>
      {loaded.state === 'loading' && <i className="skeleton price-skeleton-preview" aria-hidden="true" />}
      {loaded.state === 'ready' && <PurchasePreview preview={loaded.value} />}
      {loaded.state === 'failed' && (
        <button type="button" className="link" onClick={reload}>
          {t('notPreviewed')}
        </button>
      )}
    </section>
  );
}
