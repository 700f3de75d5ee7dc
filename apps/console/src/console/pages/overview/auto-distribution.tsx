import { changeAutoDistribution } from '@yiqiao/contracts/sub-accounts';
import { AUTO_SHARE_STEP } from '@yiqiao/domain/limits';
import { Switch } from 'antd';
import { useState } from 'react';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { refreshUser, type User } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { LazyMount, ConfirmDialog } from './lazy-dialogs.js';

/** Whether sub-accounts draw on the main account when their balance is used up; toggled after confirmation (specification §4). */
export function AutoDistribution({ user }: { user: User }) {
  const t = useMessages('overview');
  const [asking, setAsking] = useState(false);
  const on = user.autoDistribution === 1;

  const { mutate, isPending } = useEndpointMutation(changeAutoDistribution, {
    successMessage: ({ count }) => t('autoChanged', { n: grouped(count) }),
    onSuccess: async () => {
      // The change holds even if the member cannot be fetched right now.
      await refreshUser().catch(() => undefined);
      setAsking(false);
    },
  });

  return (
    <>
      <Switch checked={on} aria-label={t('autoDistribution')} onChange={() => setAsking(true)} />
      <LazyMount open={asking}>
        <ConfirmDialog
          frame={{ open: asking, onClose: () => setAsking(false), afterClose: () => undefined }}
          title={t(on ? 'autoOffTitle' : 'autoOnTitle')}
          verb={t(on ? 'turnOff' : 'turnOn')}
          busy={isPending}
          onConfirm={() => mutate({ userId: user.userId, autoDistribution: on ? 0 : 1 })}
        >
          <p>{t(on ? 'autoOffWhat' : 'autoOnWhat', { step: grouped(AUTO_SHARE_STEP) })}</p>
        </ConfirmDialog>
      </LazyMount>
    </>
  );
}
