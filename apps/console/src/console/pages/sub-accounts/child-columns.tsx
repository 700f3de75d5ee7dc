import { Switch, type TableColumnType } from 'antd';
import { useTexts, type T } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import { labelled, type Column } from '../../../shared/table/labelled.js';
import { tickColumn } from '../../../shared/table/tick-column.js';
import type { Selection } from '../../../shared/table/use-selection.js';
import { wireNow } from '../../../shared/wire-time.js';
import { nicknameOf, shortTime, type ChildUser } from './child-user.js';
import type { Task } from './use-tasks.js';

type Start = (task: Task) => void;

function LastLogin({ at, t }: { at: string | null; t: T<'sub-accounts'> }) {
  if (at === null) return <span className="faint">{t('neverLoggedIn')}</span>;
  return (
    <time className="num" dateTime={at.replace(' ', 'T')} title={at}>
      {shortTime(at, wireNow())}
    </time>
  );
}

function Chars({ n, t }: { n: number; t: T<'sub-accounts'> }) {
  return n === 0 ? <span className="sa-out">{`0 ${t('usedUp')}`}</span> : grouped(n);
}

function Operations({ child, start }: { child: ChildUser; start: Start }) {
  const t = useTexts('sub-accounts');
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
  t: T<'sub-accounts'>;
  index: string;
};

/** The columns of specification §2, each cell knowing its heading for phones. */
export function childColumns({ selection, firstIndex, start, t, index }: ColumnsOf): TableColumnType<ChildUser>[] {
  const columns: Column<ChildUser>[] = [
    {
      key: 'index',
      title: index,
      width: 64,
      render: (_, _row, at) => <span className="num faint">{firstIndex + at}</span>,
    },
    {
      key: 'account',
      title: t('account'),
      render: (_, child) => (
        <span className="sa-name">
          <span className="dyn">{child.account}</span>
          {child.autoDistribution === 1 && (
            <span className="tag" title={t('autoHint')}>
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
      render: (_, { memberAccount }) => <Chars n={memberAccount.usableCharNum} t={t} />,
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
    { key: 'operate', title: t('operate'), render: (_, child) => <Operations child={child} start={start} /> },
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
