import type { Request, Response } from '@yiqiao/contracts/endpoint';
import { gateways, listRefunds } from '@yiqiao/contracts/operator/payments';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { Select, Table } from 'antd';
import { Link } from 'react-router';
import { grouped, yuan } from '../../../shared/amounts.js';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Loaded } from '../../shared/states.js';
import { DayFields } from './day-fields.js';
import { downloadOf, momentsOf, PaymentsHeader, useAddress } from './payments-frame.js';

type Row = Response<typeof listRefunds>['rows'][number];

export const REFUND_LOOKS: Record<Row['state'], string> = { started: 'warning', done: 'ok', refused: 'bad' };

/** Every refund, the newest first. */
export default function RefundsPage() {
  const t = useMessages('payments');
  const { filters, page, change } = useAddress(['state', 'gateway', 'from', 'to']);
  const wanted = momentsOf(filters);
  const request = { ...wanted, pageNum: String(page), pageSize: String(PAGE_SIZE) };
  const query = useEndpoint(listRefunds, request as Request<typeof listRefunds>);
  return (
    <>
      <PaymentsHeader note={t('refundsNote')}>
        <a className="button button-default" href={downloadOf('/refunds/csv', wanted)} download>
          <Icon name="download" />
          {t('download')}
        </a>
      </PaymentsHeader>
      <section className="card">
        <div className="payment-filters">
          <Select
            aria-label={t('state')}
            allowClear
            placeholder={t('state')}
            style={{ minWidth: 130 }}
            value={filters.state ?? null}
            options={(['started', 'done', 'refused'] as const).map((value) => ({ value, label: t(`state_${value}`) }))}
            onChange={(value: string | undefined) => change({ ...filters, state: value })}
          />
          <Select
            aria-label={t('gateway')}
            allowClear
            placeholder={t('gateway')}
            style={{ minWidth: 130 }}
            value={filters.gateway ?? null}
            options={gateways.map((value) => ({ value, label: t(`gateway_${value}`) }))}
            onChange={(value: string | undefined) => change({ ...filters, gateway: value })}
          />
          <DayFields filters={filters} onChange={change} />
        </div>
        <Loaded query={query} rows={8}>
          {({ rows, total, amount }) => (
            <>
              <p className="payments-foot numeric">{t('refundTotal', { n: grouped(total), amount: yuan(amount) })}</p>
              <Table<Row>
                className="panel-table flush"
                size="small"
                rowKey="no"
                dataSource={rows}
                scroll={{ x: 'max-content' }}
                locale={{ emptyText: <Empty title={t('noRefunds')}>{t('noRefundsWhy')}</Empty> }}
                pagination={{
                  current: page,
                  total,
                  pageSize: PAGE_SIZE,
                  showSizeChanger: false,
                  itemRender: namedPages,
                  hideOnSinglePage: true,
                  onChange: (next) => change({ ...filters, page: String(next) }),
                }}
                columns={[
                  {
                    key: 'no',
                    title: t('refundNo'),
                    rowScope: 'row',
                    render: (_, { no }) => <span className="mono">{no}</span>,
                  },
                  {
                    key: 'order',
                    title: t('order'),
                    render: (_, { orderNo }) => (
                      <Link className="link mono" to={`/payments/orders/${orderNo}`}>
                        {orderNo}
                      </Link>
                    ),
                  },
                  {
                    key: 'member',
                    title: t('member'),
                    render: (_, { memberName, userId }) => (
                      <Link className="quiet-link" to={`/members/${userId}`}>
                        <span className="dynamic-text">{memberName ?? t('loggedOff')}</span>{' '}
                        <span className="faint numeric">#{userId}</span>
                      </Link>
                    ),
                  },
                  { key: 'gateway', title: t('gateway'), render: (_, { gateway }) => t(`gateway_${gateway}`) },
                  {
                    key: 'amount',
                    title: t('amount'),
                    align: 'right',
                    className: 'numeric',
                    render: (_, row) => `¥${yuan(row.amount)}`,
                  },
                  {
                    key: 'state',
                    title: t('state'),
                    render: (_, { state }) => (
                      <span className={`state ${REFUND_LOOKS[state]}`}>{t(`state_${state}`)}</span>
                    ),
                  },
                  {
                    key: 'by',
                    title: t('by'),
                    render: (_, { by }) => by !== null && <span className="badge hand dynamic-text">{by}</span>,
                  },
                  {
                    key: 'reason',
                    title: t('closeReason'),
                    render: (_, { reason, answer }) => <span className="dynamic-text">{answer ?? reason}</span>,
                  },
                  { key: 'at', title: t('time'), className: 'numeric', dataIndex: 'at' },
                ]}
              />
            </>
          )}
        </Loaded>
      </section>
    </>
  );
}
