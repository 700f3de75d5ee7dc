import type { Response } from '@yiqiao/contracts/endpoint';
import { listEntries } from '@yiqiao/contracts/operator/accounts';
import { type MemberDetails, listMemberChildren, listMemberOrders } from '@yiqiao/contracts/operator/members';
import { PAY_CHANNELS, PAY_STATUSES } from '@yiqiao/domain/orders';
import { Table, type TableColumnsType } from 'antd';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { BeforeAfter } from '../../../shared/ui/before-after.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Loaded } from '../../shared/states.js';

const ROWS = 10;
const RECORDS = 7;

type ListProps<Row> = {
  columns: TableColumnsType<Row>;
  rowKey: string;
  data: { rows: Row[]; total: number };
  page: number;
  onPage: (page: number) => void;
  empty: string;
};

/** A table of a card, paged by the server. */
function List<Row extends object>({ columns, rowKey, data, page, onPage, empty }: ListProps<Row>) {
  return (
    <div className="table-scroll">
      <Table<Row>
        className="panel-table member-table"
        size="small"
        rowKey={rowKey}
        columns={columns}
        dataSource={data.rows}
        locale={{ emptyText: <Empty title={empty} /> }}
        pagination={
          data.total > ROWS && {
            current: page,
            pageSize: ROWS,
            total: data.total,
            showSizeChanger: false,
            itemRender: namedPages,
            onChange: onPage,
          }
        }
      />
    </div>
  );
}

const numeric = (text: ReactNode): ReactNode => <span className="numeric">{text}</span>;

type Child = Response<typeof listMemberChildren>['rows'][number];

export function ChildrenCard({ member: { userId, family } }: { member: MemberDetails }) {
  const t = useMessages('members');
  const [page, setPage] = useState(1);
  const request = { userId: String(userId), pageNum: String(page), pageSize: String(ROWS) };
  const query = useEndpoint(listMemberChildren, request);
  const columns: TableColumnsType<Child> = [
    {
      title: t('account'),
      render: (_, row) => (
        <Link className="member-link" to={`/members/${row.userId}`}>
          <span className="dynamic-text">{row.account}</span> <span className="faint numeric">#{row.userId}</span>
        </Link>
      ),
    },
    { title: t('nickname'), render: (_, row) => <span className="dynamic-text">{row.nickname}</span> },
    { title: t('lastLogin'), render: (_, row) => numeric(row.lastLoginDateTime?.slice(5, 16) ?? t('neverSignedIn')) },
    {
      title: t('chars'),
      align: 'right',
      render: (_, { memberAccount: { usableCharNum: n } }) =>
        n === 0 ? <span className="sum-down">{t('usedUp', { n })}</span> : numeric(grouped(n)),
    },
    { title: t('voice'), align: 'right', render: (_, row) => numeric(row.memberAccount.usableVoiceNum) },
    { title: t('images'), align: 'right', render: (_, row) => numeric(row.memberAccount.usableImageNum) },
    {
      title: t('used30'),
      align: 'right',
      render: (_, row) => <span className="numeric muted">{grouped(row.usedCharNum)}</span>,
    },
    {
      title: t('auto'),
      render: (_, row) => (
        <span className={row.autoDistribution === 1 ? 'member-on' : undefined}>
          {t(row.autoDistribution === 1 ? 'on' : 'off')}
        </span>
      ),
    },
    {
      title: t('state'),
      render: (_, row) => (
        <span className={`state ${row.enabled === 1 ? 'ok' : ''}`}>
          {t(row.enabled === 1 ? 'state_enabled' : 'state_disabled')}
        </span>
      ),
    },
  ];
  const note = t('childrenNote', { total: family.accounts - 1, enabled: Math.max(0, family.enabled - 1) });
  return (
    <Card title={t('children')} note={note}>
      <Loaded query={query}>
        {(data) => (
          <List<Child>
            columns={columns}
            rowKey="userId"
            data={data}
            page={page}
            onPage={setPage}
            empty={t('noChildren')}
          />
        )}
      </Loaded>
    </Card>
  );
}

type Entry = Response<typeof listEntries>['rows'][number];

/** The quantity that an entry changes first, before and after. */
function changeOf(row: Entry) {
  if (row.charChangeNum === 0 && row.voiceChangeNum !== 0)
    return { unit: 'ofVoice', n: row.voiceChangeNum, before: row.beforeVoiceNum, after: row.lastVoiceNum } as const;
  if (row.charChangeNum === 0 && row.imageChangeNum !== 0)
    return { unit: 'ofImages', n: row.imageChangeNum, before: row.beforeImageNum, after: row.lastImageNum } as const;
  return { unit: 'ofChars', n: row.charChangeNum, before: row.beforeCharNum, after: row.lastCharNum } as const;
}

export function RecordsCard({ member: { userId, balance } }: { member: MemberDetails }) {
  const t = useMessages('members');
  const query = useEndpoint(listEntries, { userId: String(userId), limit: String(RECORDS) });
  const columns: TableColumnsType<Entry> = [
    { title: t('time'), render: (_, row) => numeric(row.createDateTime.slice(5, 19)) },
    { title: t('words'), render: (_, row) => <span className="dynamic-text">{row.words}</span> },
    {
      title: t('change'),
      align: 'right',
      render: (_, row) => {
        const { unit, n } = changeOf(row);
        const look = n < 0 ? 'sum-down' : n > 0 ? 'sum-up' : 'faint';
        return <span className={`numeric ${look}`}>{t(unit, { n: signed(n) })}</span>;
      },
    },
    {
      title: t('beforeAfter'),
      render: (_, row) => {
        const { before, after } = changeOf(row);
        return <BeforeAfter before={grouped(before)} after={grouped(after)} />;
      },
    },
    {
      title: t('seq'),
      align: 'right',
      render: (_, { seq }) => (
        <Link className="numeric" to={`/ledger/replay/${userId}?seq=${seq}`}>
          #{grouped(seq)}
        </Link>
      ),
    },
  ];
  return (
    <Card title={t('records')} note={t('recordsNote')}>
      <Loaded query={query}>
        {(data) => (
          <List<Entry>
            columns={columns}
            rowKey="seq"
            data={{ rows: data.rows, total: data.rows.length }}
            page={1}
            onPage={() => undefined}
            empty={t('noRecords')}
          />
        )}
      </Loaded>
      <Link className="card-more" to={`/ledger/replay/${userId}`}>
        {t('allRecords', { n: grouped(balance.entries) })}
        <Icon name="next" />
      </Link>
    </Card>
  );
}

type Order = Response<typeof listMemberOrders>['rows'][number];
const LOOKS: Record<Order['payStatus'], string> = { P: 'ok', W: 'warning', T: '', C: '' };

export function OrdersCard({ member: { userId, orders } }: { member: MemberDetails }) {
  const t = useMessages('members');
  const [page, setPage] = useState(1);
  const request = { userId: String(userId), pageNum: String(page), pageSize: String(ROWS) };
  const query = useEndpoint(listMemberOrders, request);
  const columns: TableColumnsType<Order> = [
    {
      title: t('orderNo'),
      render: (_, row) => (
        <Link className="mono" to={`/payments/orders/${row.no}`}>
          {row.no}
        </Link>
      ),
    },
    {
      title: t('plan'),
      render: (_, row) => `${language === 'zh' ? row.memberGroupName : row.memberGroupEnName} × ${row.salesNum}`,
    },
    { title: t('payChannel'), render: (_, row) => PAY_CHANNELS[row.payChannel][language] },
    { title: t('amount'), align: 'right', render: (_, row) => numeric(`¥${yuan(row.amount)}`) },
    {
      title: t('state'),
      render: (_, row) => (
        <span className={`state ${LOOKS[row.payStatus]}`}>{PAY_STATUSES[row.payStatus][language]}</span>
      ),
    },
    { title: t('paidAt'), render: (_, row) => numeric(row.payDateTime ?? '–') },
    {
      title: t('ledger'),
      align: 'right',
      render: (_, row) =>
        row.entrySeq !== null && (
          <Link to={`/ledger/replay/${userId}?seq=${row.entrySeq}`}>#{grouped(row.entrySeq)}</Link>
        ),
    },
  ];
  return (
    <Card title={t('orders')} note={t('ordersNote', orders)}>
      <Loaded query={query}>
        {(data) => (
          <List<Order> columns={columns} rowKey="id" data={data} page={page} onPage={setPage} empty={t('noOrders')} />
        )}
      </Loaded>
    </Card>
  );
}
