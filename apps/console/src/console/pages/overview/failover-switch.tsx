import { changeFailover } from '@yiqiao/contracts/user';
import { Switch } from 'antd';
import { useId } from 'react';
import { useEndpointMutation } from '../../../shared/api/use-endpoint.js';
import { refreshUser, type User } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';

/** Whether another channel, at no higher price, may translate when the own one fails (decisions §4). Applied without confirmation: it never costs more. */
export function FailoverSwitch({ user }: { user: User }) {
  const t = useTexts('overview');
  const id = useId();
  const on = user.channelFailover === 1;
  const { mutate, isPending } = useEndpointMutation(changeFailover, {
    successMessage: (_answer, { channelFailover }) => t(channelFailover === 1 ? 'failoverOn' : 'failoverOff'),
    // The change holds even if the member cannot be fetched right now.
    onSuccess: () => refreshUser().catch(() => undefined),
  });

  return (
    <div className="ov-failover">
      <label htmlFor={id}>
        <b>{t('failover')}</b>
        <small>{t('failoverWhat')}</small>
      </label>
      <Switch
        id={id}
        checked={on}
        loading={isPending}
        aria-label={t('failover')}
        onChange={() => mutate({ channelFailover: on ? 0 : 1 })}
      />
    </div>
  );
}
