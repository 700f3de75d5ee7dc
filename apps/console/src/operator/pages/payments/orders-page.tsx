import type { Request, Response } from '@yiqiao/contracts/endpoint';
import { gateways, listPaymentOrders } from '@yiqiao/contracts/operator/payments';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { PAY_CHANNELS, PAY_STATUSES, type PayStatus } from '@yiqiao/domain/orders';
import { Select, Table, type TableColumnsType } from 'antd';
import { Link } from 'react-router';
import { grouped, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { SearchBox } from '../../../shared/antd/search-box.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Loaded } from '../../shared/states.js';
import { DayFields } from './day-fields.js';
import { downloadOf, momentsOf, PaymentsHeader, useAddress } from './payments-frame.js';

type Row = Response<typeof listPaymentOrders>['rows'][number];

export const STATUS_LOOKS: Record<PayStatus, string> = { P: 'ok', W: '', T: '', C: '' };
const FILTERS = ['query', 'payStatus', 'gateway', 'only', 'from', 'to'] as const;

/** Orders of every member, with totals of what is shown. */
export default function OrdersPage() {
  const t = useMessages('payments');
  const { filters, page, change } = useAddress(FILTERS);
  const wanted = momentsOf(filters);
  const request = { ...wanted, pageNum: String(page), pageSize: String(PAGE_SIZE) };
  const query = useEndpoint(listPaymentOrders, request as Request<typeof listPaymentOrders>);
  const columns = useColumns();
  const option = (value: string, label: string) => ({ value, label });
  return (
    <>
      <PaymentsHeader note={t('ordersNote')}>
        <a className="button button-default" href={downloadOf('/orders/csv', wanted)} download>
          <Icon name="download" />
          {t('download')}
        </a>
      </PaymentsHeader>
      <section className="card">
        <div className="payment-filters">
          <SearchBox
            value={filters.query ?? ''}
            label={t('searchHint')}
            onSearch={(query) => change({ ...filters, query })}
          />
          <Select
            aria-label={t('status')}
            allowClear
            placeholder={t('status')}
            style={{ minWidth: 130 }}
            value={filters.payStatus ?? null}
            options={Object.entries(PAY_STATUSES).map(([value, name]) => option(value, name[language]))}
            onChange={(value: string | undefined) => change({ ...filters, payStatus: value })}
          />
          <Select
            aria-label={t('gateway')}
            allowClear
            placeholder={t('gateway')}
            style={{ minWidth: 130 }}
            value={filters.gateway ?? null}
            options={gateways.map((value) => option(value, t(`gateway_${value}`)))}
            onChange={(value: string | undefined) => change({ ...filters, gateway: value })}
          />
          <Select
            aria-label={t('only')}
            allowClear
            placeholder={t('only')}
            style={{ minWidth: 130 }}
            value={filters.only ?? null}
            options={(['refunded', 'attention'] as const).map((value) => option(value, t(`only_${value}`)))}
            onChange={(value: string | undefined) => change({ ...filters, only: value })}
          />
          <DayFields filters={filters} onChange={change} />
        </div>
        <Loaded query={query} rows={10}>
          {({ rows, total, totals }) => (
            <>
              <p className="payments-foot numeric">
                {t('totals', {
                  n: grouped(total),
                  amount: yuan(totals.amount),
                  paid: yuan(totals.paid),
                  refunded: yuan(totals.refunded),
                })}
              </p>
              <Table<Row>
                className="panel-table flush"
                size="small"
                rowKey="id"
                dataSource={rows}
                columns={columns}
                loading={query.isFetching && query.isPending}
                scroll={{ x: 'max-content' }}
                locale={{ emptyText: <Empty title={t('noOrders')}>{t('noOrdersWhy')}</Empty> }}
                pagination={{
                  current: page,
                  total,
                  pageSize: PAGE_SIZE,
                  showSizeChanger: false,
                  itemRender: namedPages,
                  hideOnSinglePage: true,
                  onChange: (next) => change({ ...filters, page: String(next) }),
                }}
              />
            </>
          )}
        </Loaded>
      </section>
    </>
  );
}

function useColumns(): TableColumnsType<Row> {
  const t = useMessages('payments');
  const money = (fen: number) => (fen === 0 ? <span className="faint">–</span> : <>¥{yuan(fen)}</>);
  return [
    {
      key: 'no',
      title: t('order'),
      rowScope: 'row',
      render: (_, { no }) => (
        <Link className="link mono" to={`/payments/orders/${no}`}>
          {no}
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
    {
      key: 'plan',
      title: t('plan'),
      render: (_, row) => `${language === 'zh' ? row.planName : row.planEnName} × ${row.salesNum}`,
    },
    { key: 'channel', title: t('method'), render: (_, { payChannel }) => PAY_CHANNELS[payChannel][language] },
    {
      key: 'status',
      title: t('status'),
      render: (_, { payStatus, attention }) => (
        <span className={`state ${attention ? 'bad' : STATUS_LOOKS[payStatus]}`}>
          {attention ? t('attention') : PAY_STATUSES[payStatus][language]}
        </span>
      ),
    },
    { key: 'amount', title: t('amount'), align: 'right', className: 'numeric', render: (_, row) => money(row.amount) },
    {
      key: 'paid',
      title: t('credited'),
      align: 'right',
      className: 'numeric',
      render: (_, row) => money(row.paidAmount),
    },
    {
      key: 'refunded',
      title: t('refunded'),
      align: 'right',
      className: 'numeric',
      render: (_, row) => money(row.refundedAmount),
    },
    { key: 'placed', title: t('placed'), className: 'numeric', dataIndex: 'createDateTime' },
  ];
}
