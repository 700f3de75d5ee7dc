import { changeTagOf, exportAccountLogs } from '@yiqiao/contracts/account-log';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { Form, Select } from 'antd';
import { Link } from 'react-router';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { EntryActor, EntryAmounts, EntryKind, EntryMovements } from '../../shared/ledger/entry-cells.js';
import { EntryDetails } from './entry-details.js';
import type { LedgerRow } from '../../shared/ledger/entry-reading.js';
import { LogPage, LogTime } from '../../shared/logs/log-page.js';
import { ChangeTag } from '../../shared/ui/change-tag.js';

const TYPES = Object.entries(ENTRY_TYPES).map(([value, names]) => ({ value, label: names[language] }));

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
        { key: 'time', title: t('time'), render: (_, row) => <LogTime at={row.createDateTime} /> },
        { key: 'type', title: t('type'), render: (_, row) => <EntryKind row={row} /> },
        { key: 'change', title: t('change'), render: (_, row) => <ChangeTag change={changeTagOf(row)} /> },
        { key: 'amount', title: t('amount'), render: (_, row) => <EntryAmounts row={row} /> },
        { key: 'movement', title: t('movement'), render: (_, row) => <EntryMovements row={row} /> },
        { key: 'actor', title: t('actor'), width: 140, render: (_, row) => <EntryActor row={row} /> },
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
