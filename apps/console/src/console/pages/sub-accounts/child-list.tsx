import { Button, Switch, type TableColumnType } from 'antd';
import { Link } from 'react-router';
import { useMember } from '../../../shared/auth/user.js';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { ListMessage } from '../../shared/logs/list-message.js';
import { type Column, labelled } from '../../shared/table/labelled.js';
import { ListTable } from '../../shared/table/list-table.js';
import { tickColumn } from '../../shared/table/tick-column.js';
import type { Selection } from '../../shared/table/use-selection.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { wireNow } from '../../shared/wire-time.js';
import { type ChildUser, nicknameOf, shortTime } from './child-user.js';
import type { ChildTable } from './use-sub-accounts.js';
import type { Task } from './task.js';

type Start = (task: Task) => void;

function LastLogin({ at, t }: { at: string | null; t: Translate<'sub-accounts'> }) {
  if (at === null) return <span className="faint">{t('neverLoggedIn')}</span>;
  return (
    <time className="numeric" dateTime={at.replace(' ', 'T')} title={at}>
      {shortTime(at, wireNow())}
    </time>
  );
}

/** Used against the cap that is set: of the day, else of the month. */
function CapUse({ caps, t }: { caps: ChildUser['caps']; t: Translate<'sub-accounts'> }) {
  const cap = caps?.day.charNum || caps?.month.charNum;
  if (!caps || !cap) return null;
  const byDay = caps.day.charNum > 0;
  const n = grouped(byDay ? caps.usedToday.charNum : caps.usedThisMonth.charNum);
  return <small className="sa-cap faint">{t(byDay ? 'capUseDay' : 'capUseMonth', { n, cap: grouped(cap) })}</small>;
}

/** 0 is a warning only for an account that has translated: others were never given any. */
function Chars({ child, t }: { child: ChildUser; t: Translate<'sub-accounts'> }) {
  const { usableCharNum: n } = child.memberAccount;
  const out = n === 0 && child.usedCharTotal > 0;
  return (
    <>
      {out ? <span className="sa-out">{`0 ${t('usedUp')}`}</span> : grouped(n)}
      <CapUse caps={child.caps} t={t} />
    </>
  );
}

function Operations({ child, start }: { child: ChildUser; start: Start }) {
  const t = useMessages('sub-accounts');
  const name = child.account;
  return (
    <div className="row-ops sa-ops">
      <button type="button" aria-label={t('shareNamed', { name })} onClick={() => start({ kind: 'share', child })}>
        {t('share')}
      </button>
      <button type="button" aria-label={t('editNamed', { name })} onClick={() => start({ kind: 'edit', child })}>
        {t('edit')}
      </button>
      <button
        type="button"
        aria-label={t('passwordNamed', { name })}
        onClick={() => start({ kind: 'password', child })}
      >
        {t('password')}
      </button>
      <button
        type="button"
        className="danger"
        aria-label={t('removeNamed', { name })}
        onClick={() => start({ kind: 'remove', children: [child] })}
      >
        {t('remove')}
      </button>
    </div>
  );
}

type ColumnsOf = {
  selection: Selection<ChildUser>;
  firstIndex: number;
  start: Start;
  t: Translate<'sub-accounts'>;
  index: string;
};

/** The columns of specification §2, each cell with its heading for phones. */
function childColumns({ selection, firstIndex, start, t, index }: ColumnsOf): TableColumnType<ChildUser>[] {
  const columns: Column<ChildUser>[] = [
    {
      key: 'index',
      title: index,
      width: 64,
      render: (_, _row, at) => <span className="numeric faint">{firstIndex + at}</span>,
    },
    {
      key: 'account',
      title: t('account'),
      rowScope: 'row',
      render: (_, child) => (
        <span className="sa-name">
          <span className="dynamic-text">{child.account}</span>
          {child.autoDistribution === 1 && (
            <span className="badge" title={t('autoHint')}>
              {t('auto')}
            </span>
          )}
        </span>
      ),
    },
    { key: 'nickname', title: t('nickname'), render: (_, child) => nicknameOf(child) ?? '—' },
    {
      key: 'lastLogin',
      title: t('lastLogin'),
      render: (_, child) => <LastLogin at={child.lastLoginDateTime} t={t} />,
    },
    {
      key: 'chars',
      title: t('chars'),
      align: 'right',
      render: (_, child) => <Chars child={child} t={t} />,
    },
    {
      key: 'voice',
      title: t('voice'),
      align: 'right',
      render: (_, { memberAccount }) => grouped(memberAccount.usableVoiceNum),
    },
    {
      key: 'images',
      title: t('images'),
      align: 'right',
      render: (_, { memberAccount }) => grouped(memberAccount.usableImageNum),
    },
    {
      key: 'enabled',
      title: t('enabled'),
      render: (_, child) => (
        <Switch
          checked={child.enabled === 1}
          aria-label={t('enableNamed', { name: child.account })}
          onChange={() => start({ kind: 'enabled', child })}
        />
      ),
    },
    {
      key: 'operate',
      className: 'lt-stay',
      title: t('operate'),
      render: (_, child) => <Operations child={child} start={start} />,
    },
  ];
  return [
    tickColumn({
      selection,
      pageLabel: t('selectPage'),
      rowLabel: ({ account }) => t('selectOne', { name: account }),
    }),
    ...labelled(columns, 'sa'),
  ];
}

/** Replaces the rows when there are none to show (DESIGN §4). */
function ChildListMessage({ table, onAdd }: { table: ChildTable; onAdd: () => void }) {
  const t = useMessages('sub-accounts');
  return (
    <ListMessage
      query={table.tableQuery}
      skeleton={{ rows: 10, columns: 8 }}
      failed={{ title: t('failed'), why: (why) => t('failedWhy', { why }) }}
      toFirst={() => table.setCurrentPage(1)}
    >
      <NoChildren table={table} onAdd={onAdd} />
    </ListMessage>
  );
}

function NoChildren({ table: { search, setSearch }, onAdd }: { table: ChildTable; onAdd: () => void }) {
  const t = useMessages('sub-accounts');
  const say = useMessages('logs');
  const { createChildUser } = useMember();
  if (search !== '')
    return (
      <Empty title={say('noMatch')} action={<Button onClick={() => setSearch('')}>{say('reset')}</Button>}>
        {t('noMatchWhy', { text: search })}
      </Empty>
    );
  if (!createChildUser)
    return (
      <Empty
        title={t('upsellTitle')}
        action={
          <Link className="button button-primary" to="/UserCenterRecharge">
            {t('upsellGo')}
          </Link>
        }
      >
        {t('upsellWhy')}
      </Empty>
    );
  return (
    <Empty
      title={t('emptyTitle')}
      action={
        <button type="button" className="button button-primary" onClick={onAdd}>
          <Icon name="add" />
          {t('add')}
        </button>
      }
    >
      {t('emptyWhy')}
    </Empty>
  );
}

type ChildListProps = { table: ChildTable; selection: Selection<ChildUser>; start: (task: Task) => void };

/** The rows of the page, or the message in their place. */
export function ChildList({ table, selection, start }: ChildListProps) {
  const t = useMessages('sub-accounts');
  const say = useMessages('logs');
  const { rows, currentPage, pageSize } = table;
  if (rows.length === 0) return <ChildListMessage table={table} onAdd={() => start({ kind: 'add' })} />;
  return (
    <ListTable<ChildUser>
      list={table}
      label={t('tableLabel')}
      className="sa-table lt-cards"
      rowKey="userId"
      rowClassName={(child) => (selection.isTicked(child) ? 'ant-table-row-selected' : '')}
      columns={childColumns({
        selection,
        start,
        t,
        firstIndex: (currentPage - 1) * pageSize + 1,
        index: say('index'),
      })}
    />
  );
}
