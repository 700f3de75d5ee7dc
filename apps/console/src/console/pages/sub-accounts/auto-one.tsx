import { changeAutoDistribution } from '@yiqiao/contracts/sub-accounts';
import { Switch } from 'antd';
import { useId, useState } from 'react';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.js';
import type { ChildUser } from './child-user.js';
import { useRefreshFamily } from './use-sub-accounts.js';

/** Auto-distribution of one sub-account: confirms, then sets the opposite (specification §4). Not a form field: it is applied at once. */
export function AutoOne({ child }: { child: ChildUser }) {
  const t = useMessages('sub-accounts');
  const refresh = useRefreshFamily();
  const id = useId();
  const [on, setOn] = useState(child.autoDistribution === 1);
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useEndpointMutation(changeAutoDistribution, {
    successMessage: () => t('modified'),
    onSuccess: (_answer, { autoDistribution }) => {
      setOn(autoDistribution === 1);
      refresh();
      setAsking(false);
    },
  });
  return (
    <section className="sa-option sa-option-apart">
      <div>
        <b id={id}>{t('autoField')}</b>
        <p className="faint">{t('autoNote')}</p>
      </div>
      <Switch checked={on} aria-labelledby={id} onChange={() => setAsking(true)} />
      <ConfirmDialog
        frame={{ open: asking, onClose: () => setAsking(false), afterClose: () => undefined }}
        title={
          <>
            {t(on ? 'autoOffTitle' : 'autoOnTitle')}
            <span className="dynamic-text">{child.account}</span>
          </>
        }
        verb={t(on ? 'autoOffVerb' : 'autoOnVerb')}
        busy={isPending}
        onConfirm={() => mutate({ userId: child.userId, autoDistribution: on ? 0 : 1 })}
      >
        <p>{t(on ? 'autoOffWhy' : 'autoOnWhy')}</p>
      </ConfirmDialog>
    </section>
  );
}
