import { useTexts } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { planSize } from '../../shared/payment/plan-text.js';
import type { Arrival, Expiry } from './arrival.js';

/** A moment on the server's clock as it is written, to the minute. */
const minuteText = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

function ExpiryText({ expiry }: { expiry: Expiry }) {
  const t = useTexts('recharge');
  if (expiry.kind === 'until') return t('until', { date: minuteText(expiry.at) });
  return expiry.kind === 'converted' ? t('afterConversion') : t('fromPayment', { n: grouped(expiry.days) });
}

/** What arrives, to the digit, and until when it holds. */
export function ArrivalLines({ arrival }: { arrival: Arrival }) {
  const t = useTexts('recharge');
  const { billingMode, num, voiceNum, imageNum, expiry } = arrival;
  return (
    <>
      <div className="rc-line">
        <dt>{t('arrives')}</dt>
        <dd className="num">
          <b>{billingMode === 'time' ? planSize('time', num) : t('chars', { n: grouped(num) })}</b>
          {voiceNum + imageNum > 0 && (
            <small>{t('gifts', { voice: grouped(voiceNum), image: grouped(imageNum) })}</small>
          )}
        </dd>
      </div>
      <div className="rc-line">
        <dt>{t('expiry')}</dt>
        <dd className="num">
          <ExpiryText expiry={expiry} />
        </dd>
      </div>
    </>
  );
}
