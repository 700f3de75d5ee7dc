import type { PayChannel } from '@yiqiao/domain/orders';
import { useId } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { payChannelName } from '../../shared/payment/payment.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { Sale } from './use-sale.js';

/** The first letter of the localised name, instead of logos (DESIGN §7). */
const ALIPAY = { zh: '支', en: 'A', brand: 'rc-alipay' };
const WECHAT = { zh: '微', en: 'W', brand: 'rc-wechat' };
const TILES: Record<PayChannel, typeof ALIPAY> = {
  ALI_NATIVE: ALIPAY,
  WC_NATIVE: WECHAT,
  ALI_LIAN: ALIPAY,
  WC_LIAN: WECHAT,
  USDT: { zh: 'U', en: 'U', brand: 'rc-usdt' },
};

type PayMethodsProps = { methods: Sale['methods']; chosen: PayChannel | null; onChoose: (method: PayChannel) => void };

/** The configured payment methods, or why there are none. */
export function PayMethods({ methods, chosen, onChoose }: PayMethodsProps) {
  const t = useMessages('recharge');
  const id = useId();
  if (methods.isError)
    return (
      <div className="rc-methods" role="alert">
        <p className="rc-problem">
          <b>{t('methodsFailed')}</b> {messageOf(methods.error)}
        </p>
        <button type="button" className="button button-default button-small" onClick={() => void methods.refetch()}>
          <Icon name="refresh" />
          {t('retry')}
        </button>
      </div>
    );
  if (methods.data?.length === 0)
    return (
      <p className="rc-problem">
        {t('noMethods')}
        <a className="link" href="/contactUs">
          {t('contact')}
        </a>
      </p>
    );
  return (
    <div className="rc-methods" role="radiogroup" aria-labelledby={id}>
      <p id={id}>{t('method')}</p>
      {methods.isPending && (
        <div role="status">
          <span className="visually-hidden">{t('methodLoading')}</span>
          <i className="skeleton" />
          <i className="skeleton" />
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
          <span className="radio-dot" aria-hidden="true" />
          <i className={TILES[method].brand} aria-hidden="true">
            {TILES[method][language]}
          </i>
          <span>
            {payChannelName(method)}
            {method === 'USDT' && <small>{t('newTab')}</small>}
          </span>
        </label>
      ))}
    </div>
  );
}
