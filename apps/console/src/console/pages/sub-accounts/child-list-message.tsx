import { Button } from 'antd';
import { Link } from 'react-router';
import { useMember } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { ListMessage } from '../../../shared/logs/list-message.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { ChildTable } from './use-child-table.js';

/** What stands in the place of the rows when there are none to show (DESIGN §4). */
export function ChildListMessage({ table, onAdd }: { table: ChildTable; onAdd: () => void }) {
  const t = useTexts('sub-accounts');
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

function NoChildren({ table: { search, ask }, onAdd }: { table: ChildTable; onAdd: () => void }) {
  const t = useTexts('sub-accounts');
  const say = useTexts('logs');
  const { createChildUser } = useMember();
  if (search !== '')
    return (
      <Empty title={say('noMatch')} action={<Button onClick={() => ask('')}>{say('reset')}</Button>}>
        {t('noMatchWhy', { text: search })}
      </Empty>
    );
  if (!createChildUser)
    return (
      <Empty
        title={t('upsellTitle')}
        action={
          <Link className="btn btn-p" to="/UserCenterRecharge">
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
        <button type="button" className="btn btn-p" onClick={onAdd}>
          <Icon name="add" />
          {t('add')}
        </button>
      }
    >
      {t('emptyWhy')}
    </Empty>
  );
}
