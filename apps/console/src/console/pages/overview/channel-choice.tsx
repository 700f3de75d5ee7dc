import { useList } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listChildUsers } from '@yiqiao/contracts/sub-accounts';
import { Pagination, Radio } from 'antd';
import { useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { billingModeOf, useMember, type User } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { BeforeAfter } from '../../../shared/ui/before-after.js';
import { Icon } from '../../../shared/ui/icon.js';
import { ChannelHealth } from '../../shared/channels/channel-health.js';
import { nameOf, priceText, type ChannelStatusQuery } from '../../shared/channels/channels.js';
import type { ChannelPreview, ChannelRow } from './channel-rows.js';

const SHOWN = 5;

type Child = Response<typeof listChildUsers>['rows'][number];

/** Loads names and current balances page by page, because a family may have thousands of sub-accounts; the new balances are already known. */
function Children({ preview }: { preview: ChannelPreview }) {
  const t = useMessages('overview');
  const [page, setPage] = useState(1);
  const { query } = useList<Child>({
    resource: 'childUsers',
    pagination: { currentPage: page, pageSize: SHOWN },
    liveMode: 'off', // the new balances were computed from the current ones
    errorNotification: false,
    queryOptions: { gcTime: 0, placeholderData: keepPreviousData },
  });
  const { data, error } = query;
  const after = new Map(preview.children.map((child) => [child.userId, child.usableCharNum]));
  if (error) return <p role="alert">{messageOf(error)}</p>;
  return (
    <>
      <ul>
        {data?.data.map((child) => (
          <li key={child.userId}>
            <span className="dynamic-text">{child.nickname}</span>
            <BeforeAfter
              before={grouped(child.memberAccount.usableCharNum)}
              after={grouped(after.get(child.userId) ?? child.memberAccount.usableCharNum)}
            />
          </li>
        ))}
      </ul>
      {data && data.total > SHOWN && (
        <Pagination
          className="ov-pages"
          align="end"
          size="small"
          simple
          current={page}
          pageSize={SHOWN}
          total={data.total}
          aria-label={t('channelChildren', { n: grouped(data.total) })}
          onChange={setPage}
        />
      )}
    </>
  );
}

/** Sub-accounts convert with their main account (decisions §4); shown on demand. */
function ChannelChildren({ preview }: { preview: ChannelPreview }) {
  const t = useMessages('overview');
  const [open, setOpen] = useState(false);
  return (
    <details className="ov-children" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="down" />
        {t('channelChildren', { n: grouped(preview.children.length) })}
      </summary>
      {open && <Children preview={preview} />}
    </details>
  );
}

/** The member's own account after the change: characters, or in time mode the expiry. */
function Outcome({ user, preview }: { user: User; preview: ChannelPreview }) {
  const t = useMessages('overview');
  const { usableCharNum, expireDateTime } = user.memberAccount;
  if (billingModeOf(user) === 'time')
    return (
      <BeforeAfter
        before={expireDateTime?.slice(0, 16) ?? t('noExpiry')}
        after={preview.expireDateTime?.slice(0, 16) ?? t('noExpiry')}
      />
    );
  return <BeforeAfter before={grouped(usableCharNum)} after={t('chartChars', { n: grouped(preview.usableCharNum) })} />;
}

type Status = Pick<ChannelStatusQuery, 'data' | 'isError'>;

function Row({ row, status }: { row: ChannelRow; status: Status }) {
  const t = useMessages('overview');
  const price = useMessages('channels');
  const user = useMember();
  const { channel, state } = row;
  return (
    <span className="ov-channel">
      <span className="ov-channel-name">
        <b>{nameOf(channel)}</b>
        {state === 'current' && <span className="badge transfer">{t('channelCurrent')}</span>}
        {state === 'unavailable' && <span className="badge">{t('channelUnavailable')}</span>}
      </span>
      <small>{price('perTenThousand', { yuan: priceText(channel.price) })}</small>
      {state === 'offered' && <Outcome user={user} preview={row.offer} />}
      {state === 'unavailable' ? (
        <small>{channel.reason ?? t('channelUnavailableWhy')}</small>
      ) : (
        <ChannelHealth id={channel.id} query={status} />
      )}
    </span>
  );
}

type ChannelChoiceProps = {
  rows: readonly ChannelRow[];
  status: Status;
  chosen: number | null;
  onChoose: (id: number) => void;
  disabled: boolean;
};

/** Every channel with its price, its recent health, and the resulting balance or the reason it is unavailable. */
export function ChannelChoice({ rows, status, chosen, onChoose, disabled }: ChannelChoiceProps) {
  const t = useMessages('overview');
  const offers = rows.flatMap((row) => (row.state === 'offered' ? [row.offer] : []));
  const preview = offers.find(({ id }) => id === chosen);
  const current = rows.find(({ state }) => state === 'current');
  return (
    <>
      <p className="note warning">
        <Icon name="alert" />
        <span>
          {offers.length > 0
            ? t('channelWarning')
            : t('channelNoneWhy', { name: current ? nameOf(current.channel) : t('channelCurrent') })}
        </span>
      </p>
      <Radio.Group
        className="ov-channels"
        aria-label={t('channelTitle')}
        value={chosen}
        disabled={disabled}
        onChange={(event) => onChoose(event.target.value as number)}
      >
        {rows.map((row) => (
          <Radio
            key={row.channel.id}
            className={row.state === 'offered' ? '' : 'ov-fixed'}
            value={row.channel.id}
            disabled={disabled || row.state !== 'offered'}
          >
            <Row row={row} status={status} />
          </Radio>
        ))}
      </Radio.Group>
      {preview && preview.children.length > 0 && <ChannelChildren preview={preview} />}
    </>
  );
}
