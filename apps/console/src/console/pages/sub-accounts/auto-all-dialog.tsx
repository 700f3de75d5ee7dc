import { changeAutoDistribution } from '@yiqiao/contracts/sub-accounts';
import { Radio } from 'antd';
import { useState } from 'react';
import { useEndpointMutation } from '../../../shared/api/use-endpoint.js';
import { useMember } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import { useRefreshFamily } from './use-family.js';

/** Auto-distribution for all sub-accounts and those to come: the main account's own id stands for them (decisions §4). */
export function AutoAllDialog({ frame }: { frame: DialogFrame }) {
  const t = useTexts('sub-accounts');
  const { userId, autoDistribution } = useMember();
  const refresh = useRefreshFamily();
  const [wanted, setWanted] = useState<0 | 1>(autoDistribution === 1 ? 0 : 1);
  const { mutate, isPending } = useEndpointMutation(changeAutoDistribution, {
    successMessage: ({ count }) => t('autoAllDone', { n: count }),
    onSuccess: () => {
      refresh();
      frame.onClose();
    },
  });
  return (
    <ConfirmDialog
      frame={frame}
      title={t('autoAllTitle')}
      verb={t('autoAllVerb')}
      busy={isPending}
      onConfirm={() => mutate({ userId, autoDistribution: wanted })}
    >
      <Radio.Group
        className="sa-radios"
        aria-label={t('autoAllTitle')}
        value={wanted}
        onChange={({ target }) => setWanted(target.value === 1 ? 1 : 0)}
        options={[
          { value: 1, label: t('autoAllOn') },
          { value: 0, label: t('autoAllOff') },
        ]}
      />
      <p>{t(wanted === 1 ? 'autoOnWhy' : 'autoOffWhy')}</p>
      <p>{t('autoAllWhy')}</p>
    </ConfirmDialog>
  );
}
