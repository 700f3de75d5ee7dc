import { useTable } from '@refinedev/antd';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listPriceVersions } from '@yiqiao/contracts/operator/prices';
import { Table } from 'antd';
import { Link } from 'react-router';
import { panelPages } from '../../../shared/antd/named-pages.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { requestNumber } from '../../shared/action-names.js';
import { LoadError } from '../../shared/states.js';
import type { Prices } from './draft.js';
import { usePriceWords } from './price-words.js';

type Row = Response<typeof listPriceVersions>['rows'][number];

const PAGE = 20;

/** Every price that replaced another one, whoever changed it. */
export function PriceHistory({ prices }: { prices: Prices }) {
  const words = usePriceWords(prices);
  const { t } = words;
  const { tableProps, tableQuery } = useTable<Row>({
    resource: 'prices/versions',
    pagination: { pageSize: PAGE },
    errorNotification: false,
  });
  if (tableQuery.isError && !tableQuery.data)
    return <LoadError title={t('versions')} error={tableQuery.error} onReload={() => void tableQuery.refetch()} />;
  return (
    <Card title={t('versions')} note={t('versionsNote')}>
      <Table<Row>
        {...tableProps}
        className="panel-table"
        size="small"
        rowKey={({ at, kind, subjectId }) => `${kind} ${subjectId} ${at}`}
        scroll={{ x: 'max-content' }}
        pagination={panelPages(tableProps.pagination)}
        locale={{ emptyText: <Empty title={t('noVersions')}>{t('noVersionsWhy')}</Empty> }}
        columns={[
          { key: 'at', title: t('effective'), render: (_, { at }) => <span className="numeric">{at}</span> },
          {
            key: 'name',
            title: t('subject'),
            rowScope: 'row',
            render: (_, { kind, name }) => (
              <>
                <span className="faint">{t(kind === 'plan' ? 'columnPlan' : 'columnChannel')}</span>{' '}
                <b className="dynamic-text">{name}</b>
              </>
            ),
          },
          {
            key: 'changes',
            title: t('beforeAfter'),
            render: (_, { kind, subjectId, changes }) => {
              const plan = kind === 'plan' ? prices.plans.find(({ id }) => id === subjectId) : undefined;
              return (
                <ul className="price-version numeric">
                  {changes.map(({ field, was, is }) => (
                    <li key={field}>
                      <span className="muted">{t(`field_${field}`)}</span> {words.value(field, was, plan?.billingMode)}{' '}
                      → <b className="hand-text">{words.value(field, is, plan?.billingMode)}</b>
                    </li>
                  ))}
                </ul>
              );
            },
          },
          { key: 'manager', title: t('by'), render: (_, { manager }) => manager ?? '—' },
          {
            key: 'reason',
            title: t('reason'),
            render: (_, { reason }) => <span className="what-if-changes">{reason === '' ? '—' : reason}</span>,
          },
          {
            key: 'approval',
            title: t('approval'),
            render: (_, { approval }) =>
              approval === null ? '—' : <Link to={`/approvals/${approval}`}>{requestNumber(approval)}</Link>,
          },
        ]}
      />
    </Card>
  );
}
