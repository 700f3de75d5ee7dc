import { useCustomMutation } from '@refinedev/core';
import { changeFailover } from '@yiqiao/contracts/user';
import { Switch } from 'antd';
import { useId } from 'react';
import { refreshUser, type User } from '../../../shared/auth/user.js';
import { useAction } from '../../../shared/dialogs/use-action.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { toast } from '../../../shared/ui/toast.js';

/** Whether another channel, at no higher price, may translate when the own one fails (decisions §4). It counts at once, without a question: it never costs more. */
export function FailoverSwitch({ user }: { user: User }) {
  const t = useTexts('overview');
  const id = useId();
  const { busy, run } = useAction();
  const { mutateAsync } = useCustomMutation();
  const on = user.channelFailover === 1;

  const toggle = async (): Promise<void> => {
    // What is said of it is said below, and of a refusal by `run`.
    await mutateAsync({
      ...{ url: changeFailover.path, method: 'post', values: { channelFailover: on ? 0 : 1 } },
      ...{ successNotification: false, errorNotification: false },
    });
    // Changed it is, even if the member cannot be fetched right now.
    await refreshUser().catch(() => undefined);
    toast.success(t(on ? 'failoverOff' : 'failoverOn'));
  };

  return (
    <div className="ov-failover">
      <label htmlFor={id}>
        <b>{t('failover')}</b>
        <small>{t('failoverWhat')}</small>
      </label>
      <Switch id={id} checked={on} loading={busy} aria-label={t('failover')} onChange={() => run(toggle)} />
    </div>
  );
}
