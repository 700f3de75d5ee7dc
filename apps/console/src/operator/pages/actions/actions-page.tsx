import { useTable, type CrudFilter } from '@refinedev/core';
import { checkActions, downloadActions, listActionNames } from '@yiqiao/contracts/operator/actions';
import { OPERATOR_BASE_PATH } from '@yiqiao/contracts/operator/endpoint';
import { listOperators } from '@yiqiao/contracts/operator/operators';
import { OPERATOR_ROLES } from '@yiqiao/domain/operators';
import { Button, DatePicker, Form, Input, Select, Table, type TableColumnsType } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { pathOf } from '../../../shared/api/exchange.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { LoadError } from '../../shared/states.js';
import { actionName, fieldName, fieldValue, isByHand, requestNumber, wholeName } from '../../shared/action-names.js';
import { Change, changesOf, type Row, Target } from './action-cells.js';
import './actions.css';

const PAGE_SIZE = 20;
const WIRE = 'YYYY-MM-DD HH:mm:ss';

type Filters = { actor?: string; action?: string; target?: string; time?: [Dayjs, Dayjs] | null };
type Query = Partial<Record<'actor' | 'action' | 'target' | 'approvalId' | 'from' | 'to', string>>;

const queryOf = (filters: readonly CrudFilter[]): Query =>
  Object.fromEntries(
    filters.flatMap((each) => ('field' in each && each.value ? [[each.field, String(each.value)]] : [])),
  );

const formOf = ({ from, to, ...rest }: Query): Filters => ({
  ...rest,
  time: from && to ? [dayjs(from), dayjs(to)] : null,
});

function filtersOf({ actor, action, target, time }: Filters): CrudFilter[] {
  const [from, to] = time ?? [];
  const given = { actor, action, target: target?.trim(), from: from?.format(WIRE), to: to?.format(WIRE) };
  return Object.entries(given).flatMap(([field, value]) => (value ? [{ field, operator: 'eq', value }] : []));
}

function FilterForm({ query, onSearch }: { query: Query; onSearch: (filters: CrudFilter[]) => void }) {
  const t = useMessages('actions');
  const [form] = Form.useForm<Filters>();
  const { data: names } = useEndpoint(listActionNames, {});
  const options = (all: readonly string[] = [], name = (value: string): string => value) =>
    all.map((value) => ({ value, label: name(value) }));
  return (
    <Form
      form={form}
      name="actions-filter"
      className="action-filter"
      layout="vertical"
      initialValues={formOf(query)}
      onFinish={(values) => onSearch(filtersOf(values))}
    >
      <Form.Item name="actor" label={t('actor')}>
        <Select allowClear showSearch placeholder={t('any')} options={options(names?.actors)} />
      </Form.Item>
      <Form.Item name="action" label={t('action')}>
        <Select
          allowClear
          showSearch
          optionFilterProp="label"
          placeholder={t('any')}
          options={options(names?.actions, actionName)}
        />
      </Form.Item>
      <Form.Item name="target" label={t('target')}>
        <Input maxLength={200} placeholder={t('targetHint')} />
      </Form.Item>
      <Form.Item name="time" label={t('time')}>
        <DatePicker.RangePicker
          format={WIRE}
          separator="–"
          placeholder={[t('from'), t('to')]}
          showTime={{ defaultValue: [dayjs('2000-01-01 00:00:00'), dayjs('2000-01-01 23:59:59')] }}
        />
      </Form.Item>
      <div className="action-filter-buttons">
        <Button
          type="text"
          onClick={() => {
            for (const name of ['actor', 'action', 'target', 'time'] as const) form.setFieldValue(name, null);
            onSearch([]);
          }}
        >
          {t('reset')}
        </Button>
        <Button type="primary" htmlType="submit">
          {t('search')}
        </Button>
      </div>
    </Form>
  );
}

/** With the role of today. The command line signs with its system user; the product itself is `system`. */
function Who({ actor, roles }: Pick<Row, 'actor'> & { roles: Roles }) {
  const t = useMessages('actions');
  if (actor === 'system') return t('system');
  if (!actor.startsWith('cli:'))
    return (
      <>
        {actor} <span className="muted">{roles.get(actor)}</span>
      </>
    );
  return (
    <>
      {actor} <span className="muted">{t('commandLine')}</span>
    </>
  );
}

/** All that changed, where it came from, and its place in the chain. */
function Origin({ row }: { row: Row }) {
  const t = useMessages('actions');
  const facts = [
    ...changesOf(row).map(({ name, before, after, isNew }): [string, string] => [
      fieldName(name),
      `${isNew ? '' : `${fieldValue(name, before)} → `}${fieldValue(name, after)}`,
    ]),
    [t('ip'), row.ip],
    [t('session'), row.session],
    [t('requestId'), row.requestId],
    [t('command'), row.cmdId],
    [t('hash'), row.hash],
  ] satisfies [string, string | null][];
  return (
    <dl className="facts action-origin">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

type Roles = ReadonlyMap<string, string>;

function useRoles(): Roles {
  const { data } = useEndpoint(listOperators, {});
  return new Map(data?.rows.map(({ name, role }) => [name, OPERATOR_ROLES[role][language]]));
}

function useColumns(): TableColumnsType<Row> {
  const t = useMessages('actions');
  const roles = useRoles();
  return [
    { title: t('time'), dataIndex: 'at', className: 'numeric nowrap', render: (at: string) => at.slice(5) },
    { title: t('actor'), className: 'nowrap', render: (_, { actor }) => <Who actor={actor} roles={roles} /> },
    {
      title: t('action'),
      className: 'nowrap',
      render: (_, { action, after }) => {
        const name = wholeName(action, after);
        if (!isByHand(action)) return name;
        return (
          <span className="badge hand">
            <Icon name="stamp" /> {name}
          </span>
        );
      },
    },
    { title: t('target'), render: (_, { target }) => <Target target={target} /> },
    {
      title: t('reason'),
      render: (_, { reason }) =>
        reason === null ? <span className="muted">—</span> : <p className="action-reason">{reason}</p>,
    },
    { title: t('change'), render: (_, row) => <Change row={row} /> },
    {
      title: t('request'),
      className: 'numeric nowrap',
      render: (_, { approvalId }) =>
        approvalId === null ? (
          <span className="muted">—</span>
        ) : (
          <Link to={`/approvals/${approvalId}`}>{requestNumber(approvalId)}</Link>
        ),
    },
    {
      title: t('chain'),
      render: (_, { whole }) => (
        <span className={whole ? 'action-whole' : 'action-broken'} title={t(whole ? 'rowWhole' : 'rowBroken')}>
          <Icon name={whole ? 'link' : 'broken'} />
          <span className="visually-hidden">{t(whole ? 'rowWhole' : 'rowBroken')}</span>
        </span>
      ),
    },
  ];
}

function Proof() {
  const t = useMessages('actions');
  const query = useEndpoint(checkActions, {});
  if (query.isError) return <LoadError error={query.error} onReload={() => void query.refetch()} />;
  if (!query.data) return null;
  const { whole, actions, head, firstBreak } = query.data;
  return (
    <p className={`remark action-proof ${whole ? 'ok' : 'bad'}`} role="status">
      <Icon name={whole ? 'link' : 'broken'} />
      <span>
        <b>{whole || !firstBreak ? t('whole', { n: actions }) : t('broken', { n: grouped(firstBreak.n) })}</b>{' '}
        {firstBreak ? (
          t('brokenWhy', { expected: firstBreak.expected.slice(0, 12), found: firstBreak.found.slice(0, 12) })
        ) : (
          <>
            {t('head')} <code>{head.slice(0, 16)}…</code>
          </>
        )}
      </span>
    </p>
  );
}

/** /actions: the action log (operators §5). */
export default function ActionsPage() {
  const t = useMessages('actions');
  const menu = useMessages('operator');
  const [proof, setProof] = useState(0);
  const { tableQuery, currentPage, setCurrentPage, filters, setFilters } = useTable<Row>({
    resource: 'actions',
    syncWithLocation: true,
    pagination: { pageSize: PAGE_SIZE },
    filters: { defaultBehavior: 'replace' },
    errorNotification: false,
    queryOptions: { retry: false },
  });
  const columns = useColumns();
  const query = queryOf(filters);
  const { data, isError, error, refetch, isFetching } = tableQuery;
  return (
    <>
      <PageHeader title={menu('pageActions')} note={t('note')}>
        <Button icon={<Icon name="link" />} onClick={() => setProof((n) => n + 1)}>
          {t('verify')}
        </Button>
        <a
          className="button button-default"
          href={OPERATOR_BASE_PATH + pathOf({ path: downloadActions.path, query })}
          hrefLang={language}
          download
        >
          <Icon name="download" /> {t('download')}
        </a>
      </PageHeader>
      {proof > 0 && <Proof key={proof} />}
      <section className="card" aria-label={menu('pageActions')} aria-busy={isFetching}>
        <FilterForm
          key={JSON.stringify(query)}
          query={query}
          onSearch={(next) => {
            setFilters(next, 'replace');
            setCurrentPage(1);
          }}
        />
        {isError && !data ? (
          <LoadError error={error} onReload={() => void refetch()} />
        ) : (
          <Table<Row>
            className="panel-table"
            size="small"
            rowKey="n"
            loading={!data}
            dataSource={data ? [...data.data] : []}
            columns={columns}
            scroll={{ x: 'max-content' }}
            expandable={{ expandedRowRender: (row) => <Origin row={row} /> }}
            locale={{ emptyText: data ? <Empty title={t('none')}>{t('noneHint')}</Empty> : ' ' }}
            pagination={{
              current: currentPage,
              pageSize: PAGE_SIZE,
              total: data?.total ?? 0,
              onChange: setCurrentPage,
              showSizeChanger: false,
              itemRender: namedPages,
              showTotal: (n) => t('total', { n: grouped(n) }),
            }}
          />
        )}
      </section>
    </>
  );
}
