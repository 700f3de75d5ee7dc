import { useInvalidate } from '@refinedev/core';
import { changeChannel, listMapping } from '@yiqiao/contracts/plans';
import { changeFailover } from '@yiqiao/contracts/user';
import { Modal, Switch } from 'antd';
import { useId, useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { useEndpoint, useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { refreshUser, useMember, type User } from '../../../shared/auth/user.js';
import { whileBusy, type DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { TableSkeleton } from '../../../shared/ui/table-skeleton.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { nameOf, useChannels, useChannelStatus } from '../../shared/channels/channels.js';
import { ChannelChoice } from './channel-choice.js';
import { rowsOf } from './channel-rows.js';
import './channel-dialog.css';

/** Lets another channel at no higher price translate when the member's own fails (decisions §4). Needs no confirmation. */
function FailoverSwitch({ user }: { user: User }) {
  const t = useMessages('overview');
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

/**
 * Changes the translation channel of the whole family (specification §2, main accounts only). The server computes the balance after
 * each choice, so that it is exact (decisions §4). A refusal leaves the dialog open.
 */
export function ChannelDialog({ frame }: { frame: DialogFrame }) {
  const t = useMessages('overview');
  const user = useMember();
  const invalidate = useInvalidate();
  const [chosen, setChosen] = useState<number | null>(null);
  // Balances change: no cached preview is shown, and none is refetched while the dialog closes.
  const offers = useEndpoint(listMapping, {}, { gcTime: 0, enabled: frame.open });
  const channels = useChannels();
  const status = useChannelStatus();
  const failed = [offers, channels].filter(({ isError }) => isError);
  const rows = offers.data && channels.data ? rowsOf(channels.data, offers.data, user.tranChannelId) : null;
  const some = offers.data !== undefined && offers.data.length > 0;

  const { mutate, isPending: busy } = useEndpointMutation(changeChannel, {
    successMessage: (applied) => t('channelChanged', { name: nameOf(applied) }),
    onSuccess: async () => {
      frame.onClose();
      // The change holds even if the new figures cannot be fetched right now.
      await refreshUser().catch(() => undefined);
      await invalidate({ invalidates: ['all'] });
    },
  });

  return (
    <Modal
      open={frame.open}
      width={680}
      title={<span className="display">{t('channelTitle')}</span>}
      okText={t('channelConfirm')}
      cancelText={t(some ? 'cancel' : 'close')}
      {...whileBusy(busy)}
      okButtonProps={some ? { disabled: chosen === null } : { style: { display: 'none' } }}
      onOk={() => chosen !== null && mutate({ targetChannelId: chosen })}
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
    >
      {failed.length > 0 && (
        <ErrorState title={t('channelFailed')} onReload={() => failed.forEach(({ refetch }) => void refetch())}>
          {messageOf(failed[0]?.error)}
        </ErrorState>
      )}
      {failed.length === 0 && rows === null && <TableSkeleton rows={6} columns={2} />}
      {failed.length === 0 && rows !== null && (
        <ChannelChoice rows={rows} status={status} chosen={chosen} onChoose={setChosen} disabled={busy} />
      )}
      <FailoverSwitch user={user} />
    </Modal>
  );
}
