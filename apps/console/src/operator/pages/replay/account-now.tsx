import { BILLING_MODES } from '@yiqiao/domain/plans';
import type { ReactNode } from 'react';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { useCause } from './cause-details.js';
import { useReplay, type AccountAt } from './use-replay.js';
import { wall } from './window.js';

const HOUR = 3_600_000;

/** The account as it was, and why it is to be believed. */
export function AccountNow() {
  const t = useMessages('replay');
  const { state, now, picture } = useReplay();
  if (!now) return null;
  const row = picture?.rows.find(({ seq }) => seq === now.seq);
  const isLast = state.brokenAt !== null && !state.beyond && now.seq === state.brokenAt - 1;
  return (
    <section className="card now-card">
      <div className="ct">
        <h2>{t(isLast ? 'lastTrusted' : 'accountNow')}</h2>
        <small className="num">{t('explainedBy', { n: grouped(now.seq) })}</small>
      </div>
      <dl className="kv big">
        <Figure name={t('charNum')} value={now.charNum}>
          {row && row.charChangeNum !== 0 && (
            <small className="num">
              {t('beforeIt', { before: grouped(row.beforeCharNum), change: signed(row.charChangeNum) })}
            </small>
          )}
        </Figure>
        <Figure name={t('voiceNum')} value={now.voiceNum} unit={t('times_voice')} />
        <Figure name={t('imageNum')} value={now.imageNum} unit={t('sheets')} />
      </dl>
      <Facts now={now} />
    </section>
  );
}

function Figure({ name, value, unit, children }: { name: string; value: number; unit?: string; children?: ReactNode }) {
  return (
    <div>
      <dt>
        {name}
        {children}
      </dt>
      <dd>
        <span className="fig num">{grouped(value)}</span>
        {unit !== undefined && <small> {unit}</small>}
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

/** Three things that a forged entry would contradict. */
export function WhyTrust() {
  const t = useMessages('replay');
  const { state, now, proof } = useReplay();
  const cause = useCause(now?.entryId ?? null, !state.playing);
  if (!now || now.seq === 0 || !proof) return null;
  const isProven = now.seq >= proof.from && (proof.firstBreak === null || now.seq < proof.firstBreak.seq);
  if (!isProven) return null;
  const other = cause?.seq === now.seq ? cause.entries.find(({ userId }) => userId !== cause.userId) : undefined;
  const own = cause?.entries.find(({ userId }) => userId === cause.userId);
  const isOpposite =
    other &&
    own &&
    other.charChangeNum + own.charChangeNum === 0 &&
    other.imageChangeNum + own.imageChangeNum === 0 &&
    other.voiceChangeNum + own.voiceChangeNum === 0;
  return (
    <section className="card why-card">
      <div className="ct">
        <h2>{t('whyTrust')}</h2>
      </div>
      <ul>
        <li>
          <Icon name="link" />
          <div>
            {t('follows')}
            <small className="num">
              {now.seq === 1 ? t('followsFirst') : t('followsText', { n: grouped(now.seq - 1) })}
            </small>
          </div>
        </li>
        <li>
          <Icon name="check" />
          <div>
            {t('sameHash')}
            <small className="num">{t('sameHashText', { from: grouped(proof.from), to: grouped(now.seq) })}</small>
          </div>
        </li>
        {other && (
          <li className={isOpposite ? '' : 'wrong'}>
            <Icon name="swap" />
            <div>
              {t(isOpposite ? 'opposite' : 'notOpposite')}
              <small className="num">
                {t('oppositeText', {
                  name: other.name,
                  n: grouped(other.seq),
                  before: grouped(other.beforeCharNum),
                  last: grouped(other.lastCharNum),
                })}
              </small>
            </div>
          </li>
        )}
      </ul>
    </section>
  );
}
