import { Button, type TableColumnType } from 'antd';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { ListMessage } from '../../shared/logs/list-message.js';
import { type Column, labelled } from '../../shared/table/labelled.js';
import { ListTable } from '../../shared/table/list-table.js';
import { tickColumn } from '../../shared/table/tick-column.js';
import type { Selection } from '../../shared/table/use-selection.js';
import { briefScopes, channelText, KeyExpiry, KeyUse, StateTag, UrlTag } from './key-cells.js';
import type { ApiKey } from './key.js';
import type { KeyTable } from './use-key-table.js';
import type { Task } from './task.js';

type Start = (task: Task) => void;

function Name({ apiKey }: { apiKey: ApiKey }) {
  const t = useMessages('api-keys');
  const { oldSecretUntil, state } = apiKey;
  return (
    <span className="ak-name">
      <span className="dynamic-text">{apiKey.name}</span>
      <UrlTag apiKey={apiKey} />
      <code>{apiKey.prefix}…</code>
      {oldSecretUntil !== null && state === 'active' && (
        <small>{t('oldUntil', { time: oldSecretUntil.slice(5, 16) })}</small>
      )}
    </span>
  );
}

function LastUse({ at, t }: { at: string | null; t: Translate<'api-keys'> }) {
  if (at === null) return <span className="faint">{t('neverUsed')}</span>;
  return (
    <time className="lt-time" dateTime={at.replace(' ', 'T')}>
      {at.slice(0, 10)} <span>{at.slice(11)}</span>
    </time>
  );
}

const OPERATIONS = ['show', 'edit', 'rotate'] as const;

/** A revoked key can only be looked at, and an expired one not be rotated: a new secret would not work either. */
function Operations({ apiKey, start }: { apiKey: ApiKey; start: Start }) {
  const t = useMessages('api-keys');
  const { name, state } = apiKey;
  const possible = OPERATIONS.filter(
    (kind) => kind === 'show' || state === 'active' || (kind === 'edit' && state === 'expired'),
  );
  return (
    <div className="row-ops ak-ops">
      {possible.map((kind) => (
        <button
          key={kind}
          type="button"
          aria-label={t(`named_${kind}`, { name })}
          onClick={() => start({ kind, apiKey })}
        >
          {t(kind)}
        </button>
      ))}
      {state !== 'revoked' && (
        <button
          type="button"
          className="danger"
          aria-label={t('revokeNamed', { name })}
          onClick={() => start({ kind: 'revoke', apiKeys: [apiKey] })}
        >
          {t('revoke')}
        </button>
      )}
    </div>
  );
}

type ColumnsOf = { selection: Selection<ApiKey> | null; main: boolean; start: Start; t: Translate<'api-keys'> };

/** The columns, each cell with its heading for phones; owners only for those who may have several. */
function keyColumns({ selection, main, start, t }: ColumnsOf): TableColumnType<ApiKey>[] {
  const owner: Column<ApiKey> = {
    key: 'owner',
    title: t('owner'),
    render: (_, apiKey) => <span className="dynamic-text">{apiKey.owner}</span>,
  };
  const columns: Column<ApiKey>[] = [
    { key: 'name', title: t('name'), rowScope: 'row', render: (_, apiKey) => <Name apiKey={apiKey} /> },
    ...(main ? [owner] : []),
    {
      key: 'may',
      title: t('may'),
      render: (_, apiKey) => (
        <span className="ak-may">
          {briefScopes(apiKey, t)}
          <small>{channelText(apiKey, t)}</small>
        </span>
      ),
    },
    { key: 'use', title: t('used'), render: (_, apiKey) => <KeyUse apiKey={apiKey} /> },
    { key: 'last', title: t('lastUse'), render: (_, apiKey) => <LastUse at={apiKey.lastUseDateTime} t={t} /> },
    { key: 'expiry', title: t('expiry'), render: (_, apiKey) => <KeyExpiry apiKey={apiKey} /> },
    { key: 'state', title: t('state'), render: (_, { state }) => <StateTag state={state} /> },
    {
      key: 'operate',
      className: 'lt-stay',
      title: t('operate'),
      render: (_, apiKey) => <Operations apiKey={apiKey} start={start} />,
    },
  ];
  if (!selection) return labelled(columns, 'ak-c');
  const ticks = tickColumn({
    selection,
    pageLabel: t('selectPage'),
    rowLabel: ({ name }) => t('selectOne', { name }),
  });
  return [ticks, ...labelled(columns, 'ak-c')];
}

function NoKeys({ table, start }: { table: KeyTable; start: Start }) {
  const t = useMessages('api-keys');
  const say = useMessages('logs');
  if (table.isNarrowed)
    return (
      <Empty title={say('noMatch')} action={<Button onClick={() => table.setQuery({})}>{say('reset')}</Button>}>
        {t('noMatchWhy')}
      </Empty>
    );
  return (
    <Empty
      title={t('empty')}
      action={
        <>
          <a className="button button-default" href="/developers">
            {t('docs')}
          </a>
          <button type="button" className="button button-primary" onClick={() => start({ kind: 'create' })}>
            <Icon name="add" />
            {t('create')}
          </button>
        </>
      }
    >
      {t('emptyWhy')}
    </Empty>
  );
}

type KeyListProps = {
  table: KeyTable;
  /** Null: the listed keys are revoked. */
  selection: Selection<ApiKey> | null;
  start: Start;
};

/** The rows of the page, or the message in their place. */
export function KeyList({ table, selection, start }: KeyListProps) {
  const t = useMessages('api-keys');
  const main = isMain(useMember());
  const { rows, tableQuery } = table;
  if (rows.length === 0)
    return (
      <ListMessage
        query={tableQuery}
        skeleton={{ rows: 8, columns: main ? 8 : 7 }}
        failed={{ title: t('failed'), why: (why) => t('failedWhy', { why }) }}
        toFirst={() => table.setCurrentPage(1)}
      >
        <NoKeys table={table} start={start} />
      </ListMessage>
    );
  return (
    <ListTable<ApiKey>
      list={table}
      label={t('tableLabel')}
      className="ak-table lt-cards"
      rowKey="id"
      rowClassName={(apiKey) => (selection?.isTicked(apiKey) ? 'ant-table-row-selected' : '')}
      columns={keyColumns({ selection, main, start, t })}
    />
  );
}
