import type { Response } from '@yiqiao/contracts/endpoint';
import type { listDifferences } from '@yiqiao/contracts/operator/reconciliations';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { CLOSED_HOW, DIFFERENCES } from '@yiqiao/domain/reconciliation';
import { PAY_STATUSES } from '@yiqiao/domain/orders';
import { Button, Table } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';
import { CloseDialog } from './close-dialog.js';
import { usePaymentCommands } from './use-payment-commands.js';

type Row = Response<typeof listDifferences>['rows'][number];
type Props = { rows: readonly Row[]; total: number; page: number; onPage: (page: number) => void };

/** The differences that asking the gateway may settle, and what the button says. */
const ASKS: Partial<Record<Row['what'], 'settle' | 'closeThere' | 'askAgain'>> = {
  missingHere: 'settle',
  stillOpen: 'closeThere',
  unanswered: 'askAgain',
  notClosed: 'askAgain',
};
const MILD: readonly string[] = ['late', 'unanswered', 'stillOpen', 'notClosed'];

export function DifferencesTable({ rows, total, page, onPage }: Props) {
  const t = useMessages('payments');
  const money = (fen: number | null) => (fen === null ? <span className="faint">—</span> : `¥${yuan(fen)}`);
  const statusOf = (status: string | null): string =>
    status !== null && status in PAY_STATUSES ? PAY_STATUSES[status as keyof typeof PAY_STATUSES][language] : '—';
  return (
    <Table<Row>
      className="panel-table flush"
      size="small"
      rowKey="id"
      dataSource={[...rows]}
      scroll={{ x: 'max-content' }}
      locale={{
        emptyText: (
          <Empty state="done" title={t('noDifferences')}>
            {t('noDifferencesWhy')}
          </Empty>
        ),
      }}
      pagination={{
        current: page,
        total,
        pageSize: PAGE_SIZE,
        showSizeChanger: false,
        itemRender: namedPages,
        hideOnSinglePage: true,
        onChange: onPage,
      }}
      columns={[
        {
          key: 'order',
          title: t('order'),
          rowScope: 'row',
          render: (_, { orderNo, hasOrder }) =>
            hasOrder ? (
              <Link className="link mono" to={`/payments/orders/${orderNo}`}>
                {orderNo}
              </Link>
            ) : (
              <span className="mono">{orderNo}</span>
            ),
        },
        {
          key: 'member',
          title: t('member'),
          render: (_, { memberName, userId }) => (
            <span className="dynamic-text">{memberName ?? (userId === null ? '—' : `#${userId}`)}</span>
          ),
        },
        { key: 'gateway', title: t('gateway'), render: (_, { gateway }) => t(`gateway_${gateway}`) },
        { key: 'status', title: t('status'), render: (_, { payStatus }) => statusOf(payStatus) },
        {
          key: 'there',
          title: t('receivedThere'),
          align: 'right',
          className: 'numeric',
          render: (_, row) => money(row.there),
        },
        {
          key: 'here',
          title: t('receivedHere'),
          align: 'right',
          className: 'numeric',
          render: (_, row) => money(row.here),
        },
        { key: 'what', title: t('finding'), render: (_, row) => <Finding row={row} /> },
        { key: 'do', align: 'right', render: (_, row) => row.closedAt === null && <Actions row={row} /> },
      ]}
    />
  );
}

function Finding({ row }: { row: Row }) {
  const t = useMessages('payments');
  const { what, closedHow, closedBy, closedAt, closeReason } = row;
  const look = closedHow !== null ? 'ok' : MILD.includes(what) ? 'warning' : 'bad';
  return (
    <>
      <span className={`state ${look}`}>{DIFFERENCES[what][language]}</span>
      {closedHow !== null && (
        <small className="faint" style={{ display: 'block' }}>
          {closeReason ?? CLOSED_HOW[closedHow][language]} ·{' '}
          {t('closedBy', { who: closedBy ?? '', time: closedAt ?? '' })}
        </small>
      )}
    </>
  );
}

function Actions({ row }: { row: Row }) {
  const t = useMessages('payments');
  const { ask, closeOne, maySettle, mayClose } = usePaymentCommands();
  const [closing, setClosing] = useState(false);
  const { id, what, orderNo, hasOrder } = row;
  const asks = hasOrder ? ASKS[what] : undefined;
  return (
    <span className="exception-actions">
      {asks && (
        <Button
          size="small"
          disabled={!maySettle?.can}
          title={maySettle?.reason}
          loading={ask.isPending}
          onClick={() => ask.mutate({ no: orderNo, mode: asks === 'closeThere' ? 'close' : 'settle' })}
        >
          {t(asks)}
        </Button>
      )}
      <Button size="small" disabled={!mayClose?.can} title={mayClose?.reason} onClick={() => setClosing(true)}>
        {t('close')}
      </Button>
      {closing && (
        <CloseDialog
          about={`${DIFFERENCES[what][language]} ${orderNo}`}
          busy={closeOne.isPending}
          onClose={() => setClosing(false)}
          onSubmit={(reason) =>
            void closeOne.mutateAsync({ id: String(id), reason }).then(
              () => setClosing(false),
              () => undefined,
            )
          }
        />
      )}
    </span>
  );
}
