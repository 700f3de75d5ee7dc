import { BILLING_MODES, type BillingMode } from '@yiqiao/domain/plans';
import type { ReactNode } from 'react';
import { language } from '../../../shared/i18n/language.js';
import { useMessages, type Translate } from '../../../shared/i18n/messages.js';
import { BeforeAfter } from '../../../shared/ui/before-after.js';
import { grouped, yuan } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import type { LedgerRow } from '../../shared/ledger/entry-reading.js';
import './entry-details.css';

type Fact = [label: string, value: ReactNode];

const channelText = (id: number | null, t: Translate<'ledger'>): string =>
  id === null ? t('none') : (channelNameOf(id) ?? t('unknownChannel', { id }));
const modeText = (mode: BillingMode | null, t: Translate<'ledger'>): string =>
  mode === null ? t('none') : BILLING_MODES[mode][language];

/** An unchanged value is shown once. */
const across = <V,>(before: V, after: V, text: (value: V) => string): ReactNode =>
  before === after ? text(after) : <BeforeAfter before={text(before)} after={text(after)} />;

/** The facts of every entry: the whole account before and after it. */
const accountFacts = (row: LedgerRow, t: Translate<'ledger'>): Fact[] => [
  [t('labelChar'), across(row.beforeCharNum, row.lastCharNum, grouped)],
  [t('labelVoice'), across(row.beforeVoiceNum, row.lastVoiceNum, grouped)],
  [t('labelImage'), across(row.beforeImageNum, row.lastImageNum, grouped)],
  [t('labelMin'), across(row.beforeExpireDateTime, row.lastExpireDateTime, (at) => at ?? t('noExpiry'))],
  [t('fieldChannel'), across(row.beforeTranChannelId, row.lastTranChannelId, (id) => channelText(id, t))],
  [
    t('fieldMode'),
    across(row.beforeTranslationBillingMode, row.lastTranslationBillingMode, (mode) => modeText(mode, t)),
  ],
  [t('fieldUse'), t('chars', { n: grouped(row.usedCharNum) })],
  [t('fieldPaid'), `¥${yuan(row.amount)}`],
];

const managerText = ({ managerName, managerId }: LedgerRow, t: Translate<'ledger'>): string | null => {
  const name = managerName ?? (managerId === null ? null : t('none'));
  return name === null || managerId === null ? name : t('managerId', { name, id: managerId });
};

/** The facts of some entry types. */
const ownFacts = (row: LedgerRow, t: Translate<'ledger'>): Fact[] => {
  const facts: [string, string | number | null][] = [
    [t('fieldConsumeChannel'), row.consumeTranChannelId && channelText(row.consumeTranChannelId, t)],
    [t('fieldConfig'), row.consumeTranslationConfigId],
    [t('fieldIp'), row.consumerIp],
    [t('fieldApiKey'), row.apiKey?.name ?? null],
    [t('fieldOrder'), row.rechargeOrderByMemberGroupNo],
    [t('fieldGroup'), row.rechargeMemberGroupName],
    [t('fieldGroupChannel'), row.rechargeTranChannelId && channelText(row.rechargeTranChannelId, t)],
    [t('fieldGroupMode'), row.rechargeTranslationBillingMode && modeText(row.rechargeTranslationBillingMode, t)],
    [t('fieldMain'), row.parentUserName],
    [t('fieldSub'), row.childUserName],
    [t('fieldManager'), managerText(row, t)],
    [t('fieldReason'), row.reason],
    [t('fieldId'), row.id],
  ];
  return facts.filter(([, value]) => value !== null);
};

/** Every field of an entry (specification §3). */
export function EntryDetails({ row }: { row: LedgerRow }) {
  const t = useMessages('ledger');
  return (
    <div className="le-details">
      <p>{row.explanation}</p>
      <dl>
        {[...accountFacts(row, t), ...ownFacts(row, t)].map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="numeric">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
