import { useGetIdentity } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import { listRequests } from '@yiqiao/contracts/operator/requests';
import { mayDo } from '@yiqiao/domain/operators';
import { Segmented, Table, type TableColumnsType } from 'antd';
import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePageTitle } from '../../../shared/page-frame.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import type { Session } from '../../shared/api/session.js';
import { requestNumber } from '../../shared/action-names.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';
import './approvals.css';
import { RequestPanel } from './request-panel.js';
import { RequestResult } from './request-result.js';
import { listed } from '../../shared/listed.js';
import { countdown, duration, shown, yuan } from './words.js';

type Requests = Response<typeof listRequests>;
type Row = Requests['rows'][number];

const SCOPES = ['forMe', 'all', 'mine'] as const;
type Scope = (typeof SCOPES)[number];
const OPEN_MOST = '100';
const LATELY = 8;
/** Waiting times go on; what others do is told at once. */
const AGAIN_MS = 30_000;

const isScope = (text: string | null): text is Scope => (SCOPES as readonly (string | null)[]).includes(text);

/** Waits for a decision: what, how much, who, since when. */
function Waiting({ row, to, current }: { row: Row; to: string; current: boolean }) {
  const t = useMessages('approvals');
  return (
    <li>
      <Link to={to} aria-current={current ? 'true' : undefined}>
        <b>{shown(row.title)}</b>
        <span className="approval-amount numeric">
          {row.amount !== null && (
            <>
              <small>{t('worth')}</small> {yuan(row.amount)}
            </>
          )}
        </span>
        <small className="approval-about">
          {row.mine ? t('own') : listed(row.subject && shown(row.subject), t('askedBy', { name: row.maker }))}
        </small>
        <span className="approval-age numeric">
          {row.mine && <Icon name="lock" />}{' '}
          {listed(duration(row.waitedSeconds, t), t('left', { left: countdown(row.leftSeconds) }))}
        </span>
      </Link>
    </li>
  );
}

function Decided() {
  const t = useMessages('approvals');
  const [page, setPage] = useState(1);
  const query = useEndpoint(listRequests, { state: 'decided', pageNum: String(page), pageSize: String(LATELY) });
  const columns: TableColumnsType<Row> = [
    { title: t('time'), dataIndex: 'decidedAt', className: 'numeric nowrap', render: (at: string) => at.slice(5, 16) },
    {
      title: t('matter'),
      render: (_, row) => (
        <div className="approval-matter">
          <Link to={`/approvals/${row.id}`}>{listed(shown(row.title), row.subject && shown(row.subject))}</Link>
        </div>
      ),
    },
    { title: t('maker'), dataIndex: 'maker' },
    { title: t('checker'), dataIndex: 'decidedBy', render: (name: string | null) => name ?? '—' },
    { title: t('result'), render: (_, row) => <RequestResult row={row} /> },
    {
      title: t('waited'),
      align: 'right',
      className: 'numeric nowrap',
      render: (_, row) => duration(row.waitedSeconds, t),
    },
  ];
  return (
    <Card title={t('decided')} className="span-12">
      <Loaded query={query}>
        {({ rows, total }) =>
          total === 0 ? (
            <Empty title={t('nothingDecided')} />
          ) : (
            <Table<Row>
              className="panel-table"
              size="small"
              rowKey="id"
              dataSource={rows}
              columns={columns}
              scroll={{ x: 'max-content' }}
              pagination={
                total > LATELY && {
                  current: page,
                  pageSize: LATELY,
                  total,
                  onChange: setPage,
                  showSizeChanger: false,
                  itemRender: namedPages,
                  showTotal: (n) => t('total', { n: grouped(n) }),
                }
              }
            />
          )
        }
      </Loaded>
    </Card>
  );
}

/** `decides`: whether the only one who could is the one who reads this. */
function Alone({ decides }: { decides: boolean }) {
  const t = useMessages('approvals');
  return (
    <div className="remark hand approvals-alone">
      <Icon name="stamp" />
      <span>
        <b>{t(decides ? 'aloneTitle' : 'nobodyTitle')}</b> {t('alone')}{' '}
        <Link className="link" to="/operators">
          {t('toOperators')}
        </Link>
      </span>
    </div>
  );
}

/** /approvals and /approvals/:id: what waits for a second person, and what was decided (operators §4). */
export default function ApprovalsPage() {
  const t = useMessages('approvals');
  const menu = useMessages('operator');
  const { data: operator } = useGetIdentity<Session>();
  const [params, setParams] = useSearchParams();
  const given = params.get('scope');
  const decides = operator !== undefined && mayDo(operator.role, 'request.decide');
  const scope = isScope(given) ? given : decides ? 'forMe' : 'all';
  const query = useEndpoint(
    listRequests,
    { scope, state: 'open', pageSize: OPEN_MOST },
    { refetchInterval: usePollInterval(AGAIN_MS) },
  );
  const { id } = useParams();
  usePageTitle(id === undefined ? menu('pageApprovals') : requestNumber(Number(id)));
  const chosen = id === undefined ? query.data?.rows[0]?.id : Number(id);
  const open = query.data?.open;
  return (
    <>
      <PageHeader title={menu('pageApprovals')} note={t('note')}>
        <Segmented<Scope>
          size="small"
          aria-label={t('scopes')}
          options={SCOPES.map((value) => ({ value, label: t(value, { n: open?.[value] ?? '' }) }))}
          value={scope}
          onChange={(value) => setParams({ scope: value }, { replace: true })}
        />
      </PageHeader>
      {query.data?.deciders === 0 && <Alone decides={decides} />}
      <div className="grid">
        <Card title={t('waiting')} note={t('lapses')} className={chosen === undefined ? 'span-12' : 'approvals-list'}>
          <Loaded query={query}>
            {({ rows }) =>
              rows.length === 0 ? (
                <Empty title={t(scope === 'forMe' ? 'nothingForMe' : 'nothingWaits')} />
              ) : (
                <ul className="approvals">
                  {rows.map((row) => (
                    <Waiting
                      key={row.id}
                      row={row}
                      to={`/approvals/${row.id}?scope=${scope}`}
                      current={row.id === chosen}
                    />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Card>
        {chosen !== undefined && (
          <div className="approvals-one">
            <RequestPanel key={chosen} id={chosen} />
          </div>
        )}
        <Decided />
      </div>
    </>
  );
}
