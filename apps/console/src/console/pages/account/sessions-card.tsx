import { messageOf } from '../../../shared/api/api-error.js';
import { useMember } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { Card } from '../../../shared/ui/console/card.js';
import { TableSkeleton } from '../../../shared/ui/console/table-skeleton.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { EndDialog } from './end-dialog.js';
import { SessionsList } from './sessions-list.js';
import { useEnding } from './use-ending.js';
import { useSessions } from './use-sessions.js';

/** Where the member is signed in: one device can be signed out, all others, or all (docs/decisions/0022). */
export function SessionsCard() {
  const t = useTexts('account');
  const { userId } = useMember();
  const { query, again } = useSessions(userId);
  const ending = useEnding(again);
  const rows = query.data;
  const others = rows?.some((row) => !row.current) ?? false;
  return (
    <Card className="ac-card" title={t('devices')} note={t('devicesNote')}>
      {rows && <SessionsList rows={rows} onEnd={(row) => ending.ask({ what: 'one', row })} />}
      {!rows && query.isPending && <TableSkeleton rows={2} columns={3} />}
      {!rows && query.isError && (
        <ErrorState title={t('devicesFailed')} onReload={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      )}
      {rows && (
        <div className="ac-foot">
          {others && (
            <button type="button" className="btn btn-d" onClick={() => ending.ask({ what: 'others' })}>
              {t('endOthers')}
            </button>
          )}
          <button type="button" className="btn btn-x" onClick={() => ending.ask({ what: 'all' })}>
            {t('endAll')}
          </button>
        </div>
      )}
      <EndDialog ending={ending} />
    </Card>
  );
}
