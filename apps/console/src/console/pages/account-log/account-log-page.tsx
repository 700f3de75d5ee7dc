import { changeTagOf, exportAccountLogs, totalAccountLogs } from '@yiqiao/contracts/account-log';
import type { Response } from '@yiqiao/contracts/endpoint';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { Form, Select } from 'antd';
import { Link } from 'react-router';
import { signed, yuan } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { EntryActor, EntryAmounts, EntryKind, EntryMovements } from '../../shared/ledger/entry-cells.js';
import { EntryDetails } from './entry-details.js';
import type { LedgerRow } from '../../shared/ledger/entry-reading.js';
import { LogPage, LogTime } from '../../shared/logs/log-page.js';
import { LogTotals, NoTotals, type TotalsOf, useTotals } from '../../shared/logs/log-totals.js';
import { ChangeTag } from '../../shared/ui/change-tag.js';

const TYPES = Object.entries(ENTRY_TYPES).map(([value, names]) => ({ value, label: names[language] }));

type Sums = NonNullable<Response<typeof totalAccountLogs>['channels']>[number];

const QUANTITIES = [
  { into: 'charIn', out: 'charOut', unit: 'chars' },
  { into: 'voiceIn', out: 'voiceOut', unit: 'voice' },
  { into: 'imageIn', out: 'imageOut', unit: 'image' },
] as const;

/** What came in, what went out, and what was paid, in the filter and by the channel that translated. */
function Totals(of: TotalsOf) {
  const t = useMessages('ledger');
  const query = useTotals(totalAccountLogs, of);
  const { data } = query;
  if (!data) return <NoTotals {...query} />;
  const sumsOf = (rows: readonly Sums[]): string[] => {
    const sum = (name: Exclude<keyof Sums, 'tranChannelId'>): number => rows.reduce((all, row) => all + row[name], 0);
    const changes = QUANTITIES.flatMap(({ into, out, unit }) =>
      [sum(into), 0 - sum(out)].filter((n) => n !== 0).map((n) => t(unit, { n: signed(n) })),
    );
    const amount = sum('amount');
    return amount === 0 ? changes : [...changes, t('paid', { yuan: yuan(amount) })];
  };
  const nameOf = (id: number | null): string =>
    id === null ? t('notTranslations') : (channelNameOf(id) ?? t('unknownChannel', { id }));
  return (
    <LogTotals
      total={data.total}
      all={sumsOf(data.channels ?? [])}
      channels={data.channels?.map((row) => ({ name: nameOf(row.tranChannelId), sums: sumsOf([row]) }))}
    />
  );
}

/** /UserCenterAccountLog: the ledger of the signed-in account, newest first (specification §2, decisions §4). */
export default function AccountLogPage() {
  const t = useMessages('account-log');
  return (
    <LogPage<LedgerRow>
      title={t('title')}
      note={t('note')}
      resource="accountLogs"
      timeField="createDateTime"
      file={exportAccountLogs}
      totals={(of) => <Totals {...of} />}
      details={(row) => <EntryDetails row={row} />}
      filters={
        <Form.Item name="logType" label={t('logType')}>
          <Select
            allowClear
            placeholder={t('anyType')}
            options={TYPES}
            listHeight={480}
            popupMatchSelectWidth={false}
          />
        </Form.Item>
      }
      columns={[
        { key: 'time', title: t('time'), rowScope: 'row', render: (_, row) => <LogTime at={row.createDateTime} /> },
        { key: 'type', title: t('type'), width: '30%', render: (_, row) => <EntryKind row={row} /> },
        { key: 'change', title: t('change'), render: (_, row) => <ChangeTag change={changeTagOf(row)} /> },
        { key: 'amount', title: t('amount'), render: (_, row) => <EntryAmounts row={row} /> },
        { key: 'movement', title: t('movement'), render: (_, row) => <EntryMovements row={row} /> },
        { key: 'actor', title: t('actor'), render: (_, row) => <EntryActor row={row} /> },
      ]}
      empty={{
        title: t('emptyTitle'),
        why: t('emptyWhy'),
        action: (
          <Link className="button button-primary" to="/UserCenterChangeTranslateTest">
            {t('emptyAction')}
          </Link>
        ),
      }}
    />
  );
}
