import { useTable } from '@refinedev/antd';
import { useCan } from '@refinedev/core';
import { listCloses, verifyClose } from '@yiqiao/contracts/operator/closes';
import { getShell } from '@yiqiao/contracts/operator/shell';
import { Table } from 'antd';
import { useState } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { panelPages } from '../../../shared/antd/named-pages.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { LoadError } from '../../shared/states.js';
import { CloseDrawer } from './close-drawer.js';
import { Signature, type Verification, Witnesses } from './close-words.js';
import { type Close, useBooks } from './use-books.js';

const PAGE = 6;
/** Of the members' site. */
const PROOF_PAGE = '/ledger-proof';

/** The signed daily closes, newest first; any of them is checked against the ledger as it is now. */
export function ClosesPanel() {
  const t = useMessages('audits');
  const { close, change } = useBooks();
  const { data: may } = useCan({ resource: 'closes', action: 'audit.run' });
  const { data: shell } = useEndpoint(getShell, {});
  const [verified, keep] = useState<Readonly<Record<string, Verification>>>({});
  const verify = useEndpointMutation(verifyClose, {
    onSuccess: (answer) => keep((all) => ({ ...all, [answer.date]: answer })),
  });
  const { tableProps, tableQuery } = useTable<Close>({
    resource: listCloses.path.slice(1),
    pagination: { pageSize: PAGE },
    syncWithLocation: false,
    errorNotification: false,
  });
  const check = (date: string): void => {
    change({ close: date });
    verify.mutate({ date });
  };
  if (tableQuery.isError && !tableQuery.data)
    return <LoadError title={t('closesTitle')} error={tableQuery.error} onReload={() => void tableQuery.refetch()} />;
  return (
    <Card
      title={t('closesTitle')}
      note={
        <>
          {t('closesNote')}
          {shell && (
            <a className="link" href={shell.site + PROOF_PAGE} target="_blank" rel="noopener noreferrer">
              {PROOF_PAGE}
            </a>
          )}
        </>
      }
    >
      <Table<Close>
        {...tableProps}
        className="panel-table"
        size="small"
        rowKey="number"
        scroll={{ x: 'max-content' }}
        pagination={panelPages(tableProps.pagination)}
        locale={{ emptyText: <Empty title={t('closesEmpty')}>{t('closesEmptyWhy')}</Empty> }}
        columns={[
          {
            key: 'date',
            title: t('close'),
            rowScope: 'row',
            render: (_, { date }) => (
              <button type="button" className="books-open numeric" onClick={() => change({ close: date })}>
                {date}
              </button>
            ),
          },
          {
            key: 'new',
            title: t('dayEntries'),
            align: 'right',
            className: 'numeric',
            render: (_, { newEntries }) => grouped(newEntries),
          },
          {
            key: 'entries',
            title: t('allEntries'),
            align: 'right',
            className: 'numeric muted',
            render: (_, { entries }) => grouped(entries),
          },
          {
            key: 'accounts',
            title: t('accountCount'),
            align: 'right',
            className: 'numeric muted',
            render: (_, { accounts }) => grouped(accounts),
          },
          { key: 'root', title: t('root'), render: (_, { root }) => <Digest value={root} /> },
          {
            key: 'previous',
            title: t('previousClose'),
            render: (_, { previous }) => (
              <code className="muted" title={previous}>
                {previous.slice(0, 8)}…
              </code>
            ),
          },
          { key: 'signature', title: t('signature'), render: (_, row) => <Signature close={row} /> },
          { key: 'witnesses', title: t('witnesses'), render: (_, row) => <Witnesses close={row} /> },
          {
            key: 'verify',
            align: 'right',
            render: (_, { date }) => (
              <button
                type="button"
                className="link"
                disabled={!may?.can || verify.isPending}
                title={may?.reason}
                aria-label={t('verifyClose', { date })}
                onClick={() => check(date)}
              >
                {t('verify')}
              </button>
            ),
          },
        ]}
      />
      {close !== null && (
        <CloseDrawer
          key={close}
          date={close}
          verification={verified[close]}
          busy={verify.isPending}
          onVerify={may?.can ? () => verify.mutate({ date: close }) : undefined}
          onClose={() => change({ close: null })}
        />
      )}
    </Card>
  );
}

/** The first eight digits stand out: people compare those. */
const Digest = ({ value }: { value: string }) => (
  <code className="muted" title={value}>
    <b>{value.slice(0, 8)}</b>…{value.slice(-6)}
  </code>
);
