import { useId, useState } from 'react';
import { PACKAGE_DAYS } from '@yiqiao/domain/limits';
import { grouped, yuan } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { creditedText } from '../../../shared/payment/plan-text.js';
import { Icon } from '../../../shared/ui/icon.js';
import { cheapest, monthlyChars, type Estimate } from './estimate.js';
import { planName, type ChannelPrice, type Plan } from './plan.js';

const MESSAGES_MAX = 100_000;
const LENGTH_MAX = 5_000;

/** A whole number from 1 to `max`, or null. */
function wholeIn(text: string, max: number): number | null {
  const n = Number(text);
  return Number.isInteger(n) && n >= 1 && n <= max ? n : null;
}

type NumberFieldProps = { label: string; unit: string; text: string; max: number; onChange: (text: string) => void };

function NumberField({ label, unit, text, max, onChange }: NumberFieldProps) {
  const t = useMessages('price');
  const id = useId();
  const invalid = wholeIn(text, max) === null;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <span className={invalid ? 'field-input invalid' : 'field-input'}>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          aria-invalid={invalid}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onChange(target.value.trim())}
        />
        <span className="faint" aria-hidden="true">
          {unit}
        </span>
      </span>
      <span className={invalid ? 'field-hint error' : 'field-hint'} id={`${id}-hint`}>
        {invalid ? t('outOfRange', { max: grouped(max) }) : ''}
      </span>
    </div>
  );
}

type ChannelFieldProps = { prices: readonly ChannelPrice[]; price: number; onChange: (price: number) => void };

/** Channels of the same price are one choice. */
function ChannelField({ prices, price, onChange }: ChannelFieldProps) {
  const t = useMessages('price');
  const id = useId();
  const byPrice = [...Map.groupBy(prices, (channel) => channel.price)].sort(([a], [b]) => a - b);
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {t('channel')}
      </label>
      <select id={id} className="field-input" value={price} onChange={({ target }) => onChange(Number(target.value))}>
        {byPrice.map(([each, channels]) => (
          <option key={each} value={each}>
            {channels.map((channel) => channelNameOf(channel.id) ?? channel.id).join(t('and'))}
          </option>
        ))}
      </select>
      <span className="field-hint" />
    </div>
  );
}

type ResultProps = { needed: string; best: Estimate | null; onChoose: (plan: Plan) => void };

function Result({ needed, best, onChoose }: ResultProps) {
  const t = useMessages('price');
  if (best === null) return <p className="price-estimate">{t('noneFits')}</p>;
  const { plan, quantity, credit, cost } = best;
  const mode = plan.translationBillingMode;
  return (
    <div className="price-estimate">
      <p className="faint">{t('bestFit')}</p>
      <p className="price-estimate-plan">
        <b className="dynamic-text">{t('planTimes', { name: planName(plan), quantity })}</b>
        <span className="price-amount numeric">
          <small>¥</small>
          {yuan(cost)}
        </span>
      </p>
      <p className="muted">
        {mode === 'time'
          ? t('estimateTime', { credit: creditedText(mode, credit) })
          : t('estimateChars', { credit: creditedText(mode, credit), needed })}
      </p>
      <button type="button" className="button button-default" onClick={() => onChoose(plan)}>
        {t('takeIt')}
        <Icon name="forward" />
      </button>
    </div>
  );
}

type Props = { plans: readonly Plan[]; prices: readonly ChannelPrice[]; onChoose: (plan: Plan) => void };

/** From messages a day to the package that covers a month for the least money. */
export function Calculator({ plans, prices, onChoose }: Props) {
  const t = useMessages('price');
  const id = useId();
  const [messages, setMessages] = useState('200');
  const [length, setLength] = useState('40');
  const [team, setTeam] = useState(false);
  const [picked, setPrice] = useState<number | null>(null);
  if (prices.length === 0) return null;
  const price = picked ?? Math.min(...prices.map((channel) => channel.price));
  const [perDay, perMessage] = [wholeIn(messages, MESSAGES_MAX), wholeIn(length, LENGTH_MAX)];
  const traffic = perDay === null || perMessage === null ? null : { messages: perDay, length: perMessage };
  return (
    <section className="price-part" aria-labelledby={id}>
      <h2 id={id}>{t('calculatorTitle')}</h2>
      <p className="muted">{t('calculatorLead')}</p>
      <div className="price-calculator">
        <div>
          <div className="price-numbers">
            <NumberField
              label={t('messagesADay')}
              unit={t('messagesUnit')}
              text={messages}
              max={MESSAGES_MAX}
              onChange={setMessages}
            />
            <NumberField
              label={t('averageLength')}
              unit={t('lengthUnit')}
              text={length}
              max={LENGTH_MAX}
              onChange={setLength}
            />
          </div>
          <ChannelField prices={prices} price={price} onChange={setPrice} />
          <label className="checkbox">
            <input type="checkbox" checked={team} onChange={({ target }) => setTeam(target.checked)} />
            <span className={team ? 'checkbox-box active' : 'checkbox-box'} aria-hidden="true">
              {team && <Icon name="check" />}
            </span>
            <span>{t('withTeam')}</span>
          </label>
        </div>
        <div aria-live="polite">
          {traffic && (
            <>
              <p className="price-sum numeric">
                {t('sum', {
                  messages: grouped(traffic.messages),
                  length: grouped(traffic.length),
                  days: PACKAGE_DAYS,
                  total: grouped(monthlyChars(traffic)),
                })}
              </p>
              <Result
                needed={grouped(monthlyChars(traffic))}
                best={cheapest(plans, prices, { ...traffic, price, team })}
                onChoose={onChoose}
              />
            </>
          )}
        </div>
      </div>
    </section>
  );
}
