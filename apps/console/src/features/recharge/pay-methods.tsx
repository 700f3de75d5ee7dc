import type { PayChannel } from '@yiqiao/domain/orders';
import { useId } from 'react';
import { Link } from 'react-router';
import { messageOf } from '../../shared/api/api-error.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { payChannelName } from '../../shared/payment/pay-channel-name.js';
import { Icon } from '../../shared/ui/icon.js';
import type { Shop } from './use-shop.js';

/** Two letters instead of logos (DESIGN §7). */
const TILES: Record<PayChannel, { letter: string; brand: string }> = {
  ALI_NATIVE: { letter: '支', brand: 'ali' },
  WC_NATIVE: { letter: '微', brand: 'wc' },
  ALI_LIAN: { letter: '支', brand: 'ali' },
  WC_LIAN: { letter: '微', brand: 'wc' },
  USDT: { letter: 'U', brand: 'usdt' },
};

type PayMethodsProps = { methods: Shop['methods']; chosen: PayChannel | null; onChoose: (method: PayChannel) => void };

/** The ways to pay that are configured; where there are none, or they did not load, that is said in their place. */
export function PayMethods({ methods, chosen, onChoose }: PayMethodsProps) {
  const t = useTexts('recharge');
  const id = useId();
  if (methods.isError)
    return (
      <div className="rc-methods" role="alert">
        <p className="rc-problem">
          <b>{t('methodsFailed')}</b> {messageOf(methods.error)}
        </p>
        <button type="button" className="btn btn-d btn-sm" onClick={() => void methods.refetch()}>
          <Icon name="refresh" />
          {t('retry')}
        </button>
      </div>
    );
  if (methods.data?.length === 0)
    return (
      <p className="rc-problem">
        {t('noMethods')}
        <Link className="link" to="/contactUs">
          {t('contact')}
        </Link>
      </p>
    );
  return (
    <div className="rc-methods" role="radiogroup" aria-labelledby={id}>
      <p id={id}>{t('method')}</p>
      {methods.isPending && (
        <div role="status">
          <span className="vh">{t('methodLoading')}</span>
          <i className="sk" />
          <i className="sk" />
        </div>
      )}
      {methods.data?.map((method) => (
        <label key={method}>
          <input
            type="radio"
            name="method"
            value={method}
            checked={method === chosen}
            onChange={() => onChoose(method)}
          />
          <span className="rad" aria-hidden="true" />
          <i className={TILES[method].brand} aria-hidden="true" lang="zh">
            {TILES[method].letter}
          </i>
          {payChannelName(method)}
          {method === 'USDT' && <small>{t('newTab')}</small>}
        </label>
      ))}
    </div>
  );
}
