import { getTwoStep } from '@yiqiao/contracts/two-step';
import { lazy, Suspense, useState } from 'react';
import { messageOf } from '../../../../shared/api/api-error.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { ErrorState } from '../../../../shared/ui/error-state.js';
import { useEndpoint } from '../../../../shared/refine/use-endpoint.js';
import { Card } from '../../../../shared/ui/card.js';
import { TableSkeleton } from '../../../../shared/ui/table-skeleton.js';
import type { TwoStepAction } from './two-step-dialog.js';

const TwoStepDialog = lazy(async () => ({ default: (await import('./two-step-dialog.js')).TwoStepDialog }));

/** So few recovery codes left are worth a warning. */
const FEW = 3;

/** Two-step sign-in of a main account: its state, and what can be done about it (docs/decisions/0050). */
export function TwoStepCard() {
  const t = useMessages('two-step');
  const { data, isPending, isError, error, refetch } = useEndpoint(getTwoStep, {}, { refetchOnMount: 'always' });
  const [dialog, setDialog] = useState<{ action: TwoStepAction; open: boolean } | null>(null);
  const act = (action: TwoStepAction, look: 'default' | 'primary' | 'danger') => (
    <button type="button" className={`button button-${look}`} onClick={() => setDialog({ action, open: true })}>
      {t(action)}
    </button>
  );
  return (
    <Card className="ac-card" title={t('title')} note={t('note')}>
      {data?.enabled === 0 && (
        <div className="ac-two-step">
          <p>
            <span className="badge">{t('off')}</span>
          </p>
          <p className="muted">{t('offWhy')}</p>
          <div className="ac-foot">{act('turnOn', 'primary')}</div>
        </div>
      )}
      {data?.enabled === 1 && (
        <div className="ac-two-step">
          <p className="ac-when numeric">
            <span className="badge increase">{t('on')}</span>
            <span>{t('since', { time: data.sinceDateTime ?? '' })}</span>
            <span>{t('left', { n: data.recoveryCodesLeft })}</span>
          </p>
          {data.recoveryCodesLeft <= FEW && <p className="note warning">{t('few')}</p>}
          <div className="ac-foot">
            {act('renew', 'default')}
            {act('turnOff', 'danger')}
          </div>
        </div>
      )}
      {!data && isPending && <TableSkeleton rows={1} columns={2} />}
      {!data && isError && (
        <ErrorState title={t('failed')} onReload={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      )}
      <Suspense>
        {dialog && (
          <TwoStepDialog
            action={dialog.action}
            frame={{
              open: dialog.open,
              onClose: () => setDialog({ action: dialog.action, open: false }),
              afterClose: () => setDialog(null),
            }}
          />
        )}
      </Suspense>
    </Card>
  );
}
