import type { Response } from '@yiqiao/contracts/endpoint';
import type { getSystem, getToday } from '@yiqiao/contracts/operator/today';
import { grouped, yuan } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useAge } from '../../shared/age.js';
import { Figure } from '../../shared/figure.js';

type Today = Response<typeof getToday>;
type System = Response<typeof getSystem>;
export type Range = 'today' | 'yesterday' | 'week' | 'month';

/** `+7.7 %`, with a real minus. */
function changeOf(now: number, before: number): { text: string; look: string } {
  const percent = ((now - before) / before) * 100;
  const text = `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
  return { text, look: percent < 0 ? 'bad-text' : 'ok-text' };
}

function Money({ money, range }: { money: Today['money']; range: Range }) {
  const t = useMessages('today');
  const { paid, orders, refunds, refunded, paidBefore } = money;
  const [before, after] = t(`against_${range}`, { change: '\0', amount: yuan(paidBefore ?? 0) }).split('\0');
  const change = paidBefore ? changeOf(paid, paidBefore) : null;
  return (
    <Figure title={t('paid')} note={t('orders', { n: grouped(orders) })} unit="¥" value={yuan(paid)}>
      <p>
        {refunds > 0
          ? t('refunds', { n: grouped(refunds), amount: yuan(refunded), net: yuan(paid - refunded) })
          : t('noRefunds')}
      </p>
      <p>
        {change ? (
          <>
            {before}
            <span className={change.look}>{change.text}</span>
            {after}
          </>
        ) : (
          t('nothingBefore')
        )}
      </p>
    </Figure>
  );
}

export function Figures({ today, system, range }: { today: Today; system: System | undefined; range: Range }) {
  const t = useMessages('today');
  const age = useAge();
  const { usage, members, money } = today;
  const held = system?.held;
  return (
    <>
      <Money money={money} range={range} />
      <Figure title={t('usage')} note={t('chars')} value={grouped(usage.charNum)}>
        <p>{t('voiceImages', { voice: grouped(usage.voiceNum), image: grouped(usage.imageNum) })}</p>
        <p>{t('saved', { n: grouped(usage.savedCharNum) })}</p>
      </Figure>
      <Figure
        title={t('held')}
        note={held ? t('holds', { n: grouped(held.holds) }) : ''}
        value={held && grouped(held.charNum)}
      >
        {held && (
          <>
            <p>{t('voiceImages', { voice: grouped(held.voiceNum), image: grouped(held.imageNum) })}</p>
            <p>{held.oldestSeconds === null ? t('noHolds') : t('oldestHold', { age: age(held.oldestSeconds) })}</p>
          </>
        )}
      </Figure>
      <Figure title={t('newMembers')} note={t('trial')} value={grouped(members.registered)}>
        <p>{t('gifts', { n: grouped(members.giftCharNum) })}</p>
        <p>{t('firstPayers', { n: grouped(members.firstPayers) })}</p>
      </Figure>
    </>
  );
}
