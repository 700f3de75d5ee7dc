import { useCan, useGetIdentity } from '@refinedev/core';
import { listOperators } from '@yiqiao/contracts/operator/operators';
import { getLimits } from '@yiqiao/contracts/operator/requests';
import { OPERATOR_ROLES, type OperatorAction } from '@yiqiao/domain/operators';
import { Button, Table, type TableColumnsType } from 'antd';
import { useState } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import type { Session } from '../../shared/api/session.js';
import { Loaded } from '../../shared/states.js';
import { OperatorDialog, type Dialog, type OperatorRow } from './operator-dialogs.js';
import './operators.css';
import { OwnAccount } from './own-account.js';
import { RoleMatrix } from './role-matrix.js';

const STATE_CLASS = { active: 'state ok', invited: 'state warning', ended: 'state' } as const;

/** Whether this role may, and who may if not. */
function useMay(action: OperatorAction): { may: boolean; why: string | undefined } {
  const { data } = useCan({ resource: 'operators', action });
  return { may: data?.can ?? false, why: data?.can ? undefined : data?.reason };
}

function RowActions({ row, open }: { row: OperatorRow; open: (dialog: Dialog) => void }) {
  const t = useMessages('operators');
  const role = useMay('operator.changeRole');
  const signOut = useMay('operator.signOut');
  const renew = useMay('operator.create');
  if (row.state === 'ended') return null;
  const button = (what: 'changeRole' | 'signOut' | 'renew' | 'end', { may, why }: ReturnType<typeof useMay>) => (
    <Button type="link" size="small" disabled={!may} title={why} onClick={() => open({ what, operator: row })}>
      {t(what)}
    </Button>
  );
  return (
    <span className="operator-actions">
      {button('changeRole', role)}
      {row.sessions > 0 && button('signOut', signOut)}
      {button('renew', renew)}
      {button('end', role)}
    </span>
  );
}

function OperatorTable({ rows, me, open }: { rows: readonly OperatorRow[]; me: string; open: (to: Dialog) => void }) {
  const t = useMessages('operators');
  const columns: TableColumnsType<OperatorRow> = [
    {
      title: t('name'),
      render: (_, { name }) => (
        <>
          <b>{name}</b> {name === me && <span className="muted">{t('you')}</span>}
        </>
      ),
    },
    { title: t('role'), render: (_, { role }) => OPERATOR_ROLES[role][language] },
    {
      title: t('lastSignIn'),
      className: 'numeric',
      render: (_, { lastSignInAt }) => lastSignInAt?.slice(5, 16) ?? t('never'),
    },
    {
      title: t('state'),
      render: (_, { state }) => <span className={STATE_CLASS[state]}>{t(`state_${state}`)}</span>,
    },
    { title: t('sessions'), dataIndex: 'sessions', align: 'right', className: 'numeric' },
    { title: '', align: 'right', render: (_, row) => <RowActions row={row} open={open} /> },
  ];
  return (
    <Table<OperatorRow>
      className="panel-table"
      size="small"
      rowKey="id"
      dataSource={[...rows]}
      columns={columns}
      scroll={{ x: 'max-content' }}
      pagination={false}
    />
  );
}

function Rules() {
  const t = useMessages('operators');
  const rules = ['Password', 'Code', 'Session', 'Recovery', 'Lock'] as const;
  return (
    <Card title={t('rules')}>
      <dl className="facts card-body">
        {rules.map((rule) => (
          <div key={rule}>
            <dt>{t(`rule${rule}`)}</dt>
            <dd>{t(`rule${rule}Text`)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Limits({ open }: { open: (dialog: Dialog) => void }) {
  const t = useMessages('operators');
  const { data: limits } = useEndpoint(getLimits, {});
  const { may, why } = useMay('limits.change');
  if (!limits) return null;
  const { charNum, voiceNum, imageNum, amount } = limits;
  const words = {
    chars: grouped(charNum),
    voice: grouped(voiceNum),
    images: grouped(imageNum),
    amount: grouped(amount / 100),
  };
  return (
    <div className="remark hand">
      <Icon name="stamp" />
      <span>
        {t('limits', words)}{' '}
        <Button type="link" size="small" disabled={!may} title={why} onClick={() => open({ what: 'limits', limits })}>
          {t('changeLimits')}
        </Button>
      </span>
    </div>
  );
}

/** /operators: who they are, what each role may do, one's own account (operators §2, §3). */
export default function OperatorsPage() {
  const t = useMessages('operators');
  const menu = useMessages('operator');
  const { data: me } = useGetIdentity<Session>();
  const query = useEndpoint(listOperators, {});
  const create = useMay('operator.create');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const own = query.data?.rows.find(({ name }) => name === me?.name);
  return (
    <>
      <PageHeader title={menu('pageOperators')} note={t('note')}>
        <Button
          type="primary"
          icon={<Icon name="add" />}
          disabled={!create.may}
          title={create.why}
          onClick={() => setDialog({ what: 'invite' })}
        >
          {t('add')}
        </Button>
      </PageHeader>
      <div className="grid">
        <Card title={t('registered', { n: query.data?.total ?? '' })} className="span-8 operators-list">
          <Loaded query={query}>
            {({ rows }) => <OperatorTable rows={rows} me={me?.name ?? ''} open={setDialog} />}
          </Loaded>
        </Card>
        <div className="span-4 operators-side">
          <Rules />
          <Limits open={setDialog} />
          <OwnAccount codesLeft={own?.recoveryCodesLeft ?? null} />
        </div>
        <RoleMatrix />
      </div>
      {dialog && <OperatorDialog dialog={dialog} onClose={() => setDialog(null)} />}
    </>
  );
}
