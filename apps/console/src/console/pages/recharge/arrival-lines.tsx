import { nameIn, useChannels } from '../../../shared/channels/use-channels.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import { creditedText, planSize, referenceText, timeText } from '../../../shared/payment/plan-text.js';
import { arrivalOf, type Account, type Arrival, type Expiry } from './arrival.js';
import type { Plan } from './plan.js';

/** A moment on the server's clock as it is written, to the minute. */
const minuteText = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

function ExpiryText({ expiry }: { expiry: Expiry }) {
  const t = useTexts('recharge');
  if (expiry.kind === 'until') return t('until', { date: minuteText(expiry.at) });
  return expiry.kind === 'converted' ? t('afterConversion') : t('fromPayment', { time: timeText(expiry.minutes) });
}

function Arrived({ arrival, channelName }: { arrival: Arrival; channelName: string }) {
  const t = useTexts('recharge');
  const { billingMode, num, voiceNum, imageNum } = arrival;
  return (
    <>
      <b>{creditedText(billingMode, num)}</b>
      <small>{t('onChannel', { name: channelName })}</small>
      {voiceNum + imageNum > 0 && <small>{t('gifts', { voice: grouped(voiceNum), image: grouped(imageNum) })}</small>}
    </>
  );
}

type ArrivalLinesProps = { plan: Plan; quantity: number; account: Account };

/** What is bought at whose price, what arrives of it on the member's channel to the digit, and until when it holds. */
export function ArrivalLines({ plan, quantity, account }: ArrivalLinesProps) {
  const t = useTexts('recharge');
  const channels = useChannels();
  const prices = new Map(channels.data?.map(({ id, price }) => [id, price]));
  const arrival = arrivalOf({ plan, quantity, account }, prices);
  return (
    <>
      <div className="rc-line">
        <dt>{t('holds')}</dt>
        <dd className="num">
          {planSize(plan.translationBillingMode, plan.num * quantity)}
          <small>{referenceText(plan.referenceChannelId)}</small>
        </dd>
      </div>
      <div className="rc-line">
        <dt>{t('arrives')}</dt>
        <dd className="num" aria-live="polite">
          {arrival && <Arrived arrival={arrival} channelName={nameIn(channels.data, arrival.channelId)} />}
          {!arrival && channels.isPending && <i className="sk rc-sk-line" role="status" aria-label={t('counting')} />}
          {!arrival && !channels.isPending && (
            <button type="button" className="link" onClick={() => void channels.refetch()}>
              {t('notCounted')}
            </button>
          )}
        </dd>
      </div>
      <div className="rc-line">
        <dt>{t('expiry')}</dt>
        <dd className="num">{arrival ? <ExpiryText expiry={arrival.expiry} /> : '–'}</dd>
      </div>
    </>
  );
}
