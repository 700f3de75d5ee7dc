import { changeManyEnabled } from '@yiqiao/contracts/sub-accounts';
import { Radio } from 'antd';
import { useState } from 'react';
import { useEndpointMutation } from '../../../../shared/refine/use-endpoint.js';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { grouped } from '../../../../shared/amounts.js';
import { useRefreshFamily } from '../use-sub-accounts.js';
import { ScopeField, type Targets, useScope } from './scope.js';

/** Enables or disables several sub-accounts, all or none. */
export function EnabledManyDialog({ frame, targets }: { frame: DialogFrame; targets: Targets }) {
  const t = useMessages('sub-accounts');
  const refresh = useRefreshFamily();
  const chosen = useScope(targets);
  const [enabled, setEnabled] = useState<0 | 1>(targets.ticked.some((child) => child.enabled === 0) ? 1 : 0);
  const { mutate, isPending } = useEndpointMutation(changeManyEnabled, {
    successMessage: ({ count }) => t('autoAllDone', { n: grouped(count) }),
    onSuccess: () => {
      refresh();
      frame.onClose();
    },
  });
  return (
    <ConfirmDialog
      frame={frame}
      title={t('enabledMany')}
      verb={t(enabled === 1 ? 'enableVerb' : 'disableVerb')}
      look={enabled === 1 ? 'usual' : 'danger'}
      busy={isPending}
      onConfirm={() => mutate({ ...chosen.fields, enabled })}
    >
      <ScopeField targets={targets} chosen={chosen} />
      <Radio.Group
        className="sa-radios"
        aria-label={t('enabledMany')}
        value={enabled}
        onChange={({ target }) => setEnabled(target.value === 1 ? 1 : 0)}
        options={[
          { value: 1, label: t('enableMany') },
          { value: 0, label: t('disableMany') },
        ]}
      />
      <p>{t(enabled === 1 ? 'enableManyWhy' : 'disableManyWhy')}</p>
    </ConfirmDialog>
  );
}
