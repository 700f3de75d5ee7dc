import { BILLING_MODES } from '@yiqiao/domain/plans';
import type { ReactNode } from 'react';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { BrokenBalances } from './broken-balances.js';
import { useReplay, type AccountAt } from './use-replay.js';
import { wall } from './window.js';

const HOUR = 3_600_000;
const MICRO_YUAN_PER_FEN = 10_000;

/** What the characters are worth at the channel's price of that moment; null where they have none. */
const worthOf = ({ charNum, price, translationBillingMode: mode }: AccountAt): string | null =>
  price === null || mode !== 'char' ? null : yuan(Math.round((charNum * price) / MICRO_YUAN_PER_FEN));

/** The account as it was. */
export function AccountNow() {
  const t = useMessages('replay');
  const { state, now, picture } = useReplay();
  if (!now) return null;
  const worth = worthOf(now);
  const row = picture?.rows.find(({ seq }) => seq === now.seq);
  const isLast = state.brokenAt !== null && !state.beyond && now.seq === state.brokenAt - 1;
  return (
    <section className="card now-card">
      <div className="ct">
        <h2>{t(isLast ? 'lastTrusted' : 'accountNow')}</h2>
        <small className="num">{t('explainedBy', { n: grouped(now.seq) })}</small>
      </div>
      <dl className="kv big">
        <Figure
          name={t('charNum')}
          value={now.charNum}
          {...(worth === null ? {} : { note: t('worth', { amount: worth }) })}
        >
          {row && row.charChangeNum !== 0 && (
            <small className="num">
              {t('beforeIt', { before: grouped(row.beforeCharNum), change: signed(row.charChangeNum) })}
            </small>
          )}
        </Figure>
        <Figure name={t('voiceNum')} value={now.voiceNum} unit={t('times_voice')} />
        <Figure name={t('imageNum')} value={now.imageNum} unit={t('sheets')} />
      </dl>
      {isLast && state.brokenAt !== null && <BrokenBalances trusted={now} brokenAt={state.brokenAt} />}
      <Facts now={now} />
    </section>
  );
}

type FigureProps = { name: string; value: number; unit?: string; note?: string; children?: ReactNode };

function Figure({ name, value, unit, note, children }: FigureProps) {
  return (
    <div>
      <dt>
        {name}
        {children}
      </dt>
      <dd>
        <span className="fig num">{grouped(value)}</span>
        {unit !== undefined && <small> {unit}</small>}
        {note !== undefined && <small className="worth num">{note}</small>}
      </dd>
    </div>
  );
}

function Facts({ now }: { now: AccountAt }) {
  const t = useMessages('replay');
  const { account } = useReplay();
  const left = now.expireDateTime === null || now.moment === null ? null : wall(now.expireDateTime) - wall(now.moment);
  const facts: [string, ReactNode][] = [
    [
      t('expires'),
      now.expireDateTime === null ? (
        t('never')
      ) : (
        <>
          <span className="num">{now.expireDateTime}</span>
          <small>
            {left === null
              ? ''
              : left <= 0
                ? t('expired')
                : t('daysLeft', { days: Math.floor(left / (24 * HOUR)), hours: Math.floor((left / HOUR) % 24) })}
          </small>
        </>
      ),
    ],
    [t('billing'), BILLING_MODES[now.translationBillingMode][language]],
    [t('channel'), now.tranChannelId === null ? t('never') : <ChannelAt now={now} />],
    [t('used'), t('usedChars', { n: grouped(now.usedCharTotal) })],
    [t('recharged'), `¥${yuan(now.rechargeAmountTotal)}`],
    [t('held'), <small key="held">{t('heldUnknown')}</small>],
  ];
  return (
    <dl className="kv" data-account={account.userId}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ChannelAt({ now }: { now: AccountAt }) {
  const t = useMessages('replay');
  return (
    <>
      {now.channel ?? t('channelNumber', { n: now.tranChannelId ?? 0 })}
      {now.price === null ? '' : ` · ${t('price', { n: now.price })}`}
    </>
  );
}
