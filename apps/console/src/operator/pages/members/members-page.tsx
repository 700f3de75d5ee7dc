import './members.css';
import { searchMembers, MEMBER_FILTERS, type MemberFilter } from '@yiqiao/contracts/operator/members';
import type { Response } from '@yiqiao/contracts/endpoint';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { Input, Table, type TableColumnsType } from 'antd';
import { useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { isRested, useRestingAddress } from '../../shared/resting-address.js';
import { Loaded } from '../../shared/states.js';
import { MemberState } from './member-state.js';

type Page = Response<typeof searchMembers>;
type Row = Page['rows'][number];

/** The query, state and page of the address. What is typed becomes the query once it has come to rest. */
function useSearch() {
  const [params, setParams] = useSearchParams();
  const query = params.get('query') ?? '';
  const status = MEMBER_FILTERS.find((name) => name === params.get('status'));
  const changed = (values: Record<string, string | null>): URLSearchParams => {
    const next = new URLSearchParams(params);
    next.delete('page');
    for (const [name, value] of Object.entries(values))
      if (value === null || value === '') next.delete(name);
      else next.set(name, value);
    return next;
  };
  const typed = useTyped(query);
  useRestingAddress(typed.text === query ? null : changed({ query: typed.text }).toString(), setParams);
  const change = (values: Record<string, string | null>): void =>
    // A page of the list that is drawn is none of another list's.
    setParams(changed(typed.text === query ? values : { ...values, query: typed.text, page: null }), { replace: true });
  return { query, status, page: Number(params.get('page') ?? '1') || 1, change, typed };
}

/** What stands in the field: what was typed, until somebody goes to another address. */
function useTyped(query: string) {
  const [text, setText] = useState(query);
  const location = useLocation();
  const [drawn, setDrawn] = useState(location.key);
  if (location.key !== drawn) {
    setDrawn(location.key);
    if (!isRested(location)) setText(query);
  }
  return { text, setText };
}

function SearchField({ typed }: { typed: ReturnType<typeof useTyped> }) {
  const t = useMessages('members');
  return (
    <Input
      className="member-search"
      data-filter
      type="search"
      prefix={<Icon name="search" />}
      aria-label={t('search')}
      placeholder={t('searchHint')}
      value={typed.text}
      onChange={({ target }) => typed.setText(target.value)}
    />
  );
}

/** What is listed, in a sentence below the table. */
function useSummary(): (page: Page, search: { query: string; status: MemberFilter | undefined }) => string {
  const t = useMessages('members');
  return ({ total, more }, { query, status }) => {
    const n = grouped(total);
    if (query !== '') return t(more ? 'foundMore' : 'found', { query, total: n });
    if (more) return t('listedMore', { total: n });
    return t(status === undefined ? 'listed' : 'listedState', { total: n });
  };
}

function useColumns(): TableColumnsType<Row> {
  const t = useMessages('members');
  return [
    {
      title: t('account'),
      render: (_, row) => (
        <Link className="member-link" to={`/members/${row.userId}`}>
          <b className="dynamic-text">{row.username ?? row.nickname ?? '–'}</b>{' '}
          <span className="faint numeric">#{row.userId}</span>
        </Link>
      ),
    },
    {
      title: t('email'),
      render: (_, row) => <span className="muted">{row.account ?? (row.role === 'sub' ? t('sub') : '–')}</span>,
    },
    { title: t('plan'), render: (_, { memberGroup }) => (language === 'zh' ? memberGroup.name : memberGroup.enName) },
    { title: t('channel'), render: (_, row) => (row.tranChannelId === null ? '–' : channelNameOf(row.tranChannelId)) },
    {
      title: t('chars'),
      align: 'right',
      render: (_, row) =>
        row.memberGroup.translationBillingMode === 'time' ? (
          <span className="faint">{t('mode_time')}</span>
        ) : (
          <span className="numeric">{grouped(row.usableCharNum)}</span>
        ),
    },
    {
      title: t('expires'),
      render: (_, row) => <span className="numeric">{row.expireDateTime?.slice(0, 10) ?? '–'}</span>,
    },
    { title: t('children'), align: 'right', render: (_, row) => <span className="numeric">{row.children}</span> },
    {
      title: t('lastLogin'),
      render: (_, row) => <span className="numeric">{row.lastLoginDateTime?.slice(5, 16) ?? t('neverSignedIn')}</span>,
    },
    { title: t('state'), render: (_, row) => <MemberState state={row.state} /> },
    {
      align: 'right',
      render: (_, { userId }) => (
        // The name leads there too: one stop of the keyboard is enough.
        <Link className="member-open" to={`/members/${userId}`} tabIndex={-1} aria-hidden="true">
          {t('open')}
          <Icon name="next" />
        </Link>
      ),
    },
  ];
}

/** Members by any key, newest sign-in first without one (operators §10). */
export default function MembersPage() {
  const t = useMessages('members');
  const navigate = useNavigate();
  const { query, status, page, change, typed } = useSearch();
  const request = { ...(query === '' ? {} : { query }), ...(status ? { status } : {}) };
  const result = useEndpoint(searchMembers, { ...request, pageNum: String(page), pageSize: String(PAGE_SIZE) });
  const summary = useSummary();
  const columns = useColumns();
  const file = `/operator-api/members/export?${new URLSearchParams(request).toString()}`;
  return (
    <>
      <PageHeader title={t('title')} note={t('note')}>
        <a className="button button-default" href={file} download>
          <Icon name="download" />
          {t('export')}
        </a>
      </PageHeader>
      <section className="card">
        <div className="member-filters">
          <SearchField typed={typed} />
          <div className="chips" role="group" aria-label={t('state')}>
            {MEMBER_FILTERS.map((name) => (
              <button
                key={name}
                type="button"
                className="chip"
                aria-pressed={name === status}
                onClick={() => change({ status: name === status ? null : name })}
              >
                {t(`filter_${name}`)}
              </button>
            ))}
          </div>
        </div>
        <Loaded query={result} rows={8}>
          {(data) => (
            <div className="table-scroll">
              <Table<Row>
                className="panel-table flush member-table"
                rowKey="userId"
                size="small"
                // antd would take the number of sub-accounts for rows below the row.
                expandable={{ childrenColumnName: 'nested' }}
                columns={columns}
                dataSource={data.rows}
                loading={result.isFetching && data.rows.length === 0}
                onRow={(row) => ({ onDoubleClick: () => void navigate(`/members/${row.userId}`) })}
                locale={{
                  emptyText: (
                    <Empty title={t('none')}>{query === '' ? t('noneInState') : t('noneWhy', { query })}</Empty>
                  ),
                }}
                pagination={{
                  current: page,
                  pageSize: PAGE_SIZE,
                  total: data.total,
                  showSizeChanger: false,
                  itemRender: namedPages,
                  showTotal: () => summary(data, { query, status }),
                  onChange: (next) => change({ page: String(next) }),
                }}
              />
            </div>
          )}
        </Loaded>
      </section>
    </>
  );
}
