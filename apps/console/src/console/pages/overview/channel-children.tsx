import { useList } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listChildUsers } from '@yiqiao/contracts/sub-accounts';
import { Pagination } from 'antd';
import { useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import { BeforeAfter } from '../../../shared/ui/console/before-after.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { ChannelPreview } from './channel-preview.js';

const SHOWN = 5;

type Child = Response<typeof listChildUsers>['rows'][number];

/** Names and present balances come page by page, because a family may have thousands; the balances after the change are known already. */
function Children({ preview }: { preview: ChannelPreview }) {
  const t = useTexts('overview');
  const [page, setPage] = useState(1);
  const { query } = useList<Child>({
    resource: 'childUsers',
    pagination: { currentPage: page, pageSize: SHOWN },
    liveMode: 'off', // the figures after the change were worked out from those of this moment
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
            <span className="dyn">{child.nickname}</span>
            <BeforeAfter
              before={grouped(child.memberAccount.usableCharNum)}
              after={grouped(after.get(child.userId) ?? child.memberAccount.usableCharNum)}
            />
          </li>
        ))}
      </ul>
      {data && data.total > SHOWN && (
        <Pagination
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
export function ChannelChildren({ preview }: { preview: ChannelPreview }) {
  const t = useTexts('overview');
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
