import { useList } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import type { listChildUsers } from '@yiqiao/contracts/sub-accounts';
import { Link } from 'react-router';
import { isMain, type User } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import { COUNTED_CHILDREN } from './overview.js';

type ActionProps = { to: string; icon: IconName; title: string; note: string };

function Action({ to, icon, title, note }: ActionProps) {
  const inside = (
    <>
      <Icon name={icon} />
      <b>{title}</b>
      <span>{note}</span>
      <Icon name="forward" className="ov-quick-arrow" />
    </>
  );
  return isConsoleAddress(to) ? <Link to={to}>{inside}</Link> : <a href={to}>{inside}</a>;
}

/** The number of sub-accounts, and how many of them are enabled. */
function SubAccounts() {
  const t = useMessages('overview');
  const { query } = useList<Response<typeof listChildUsers>['rows'][number]>({
    resource: 'childUsers',
    pagination: { currentPage: 1, pageSize: COUNTED_CHILDREN },
    liveMode: 'off', // their number changes on another page
    errorNotification: false,
  });
  const { data: rows = [], total = 0 } = query.data ?? {};
  const n = grouped(total);
  const enabled = rows.filter((row) => row.enabled === 1).length;
  const counted = total > COUNTED_CHILDREN ? t('quickChildrenCount', { n }) : t('quickChildrenEnabled', { n, enabled });
  const note = total > 0 ? counted : t('quickChildrenNote');
  return <Action to="/UserCenterChild" icon="users" title={t('quickChildren')} note={note} />;
}

export function QuickActions({ user }: { user: User }) {
  const t = useMessages('overview');
  const main = isMain(user);
  return (
    <nav className="card ov-quick" aria-label={t('quick')}>
      <Action
        to="/UserCenterChangeTranslateTest"
        icon="translate"
        title={t('quickTranslate')}
        note={t('quickTranslateNote')}
      />
      {main && <SubAccounts />}
      <Action to="/UserCenterAccountLog" icon="file" title={t('quickAccountLog')} note={t('quickAccountLogNote')} />
      {!main && (
        <Action
          to="/UserCenterChangeTranslateLog"
          icon="list"
          title={t('quickTranslationLog')}
          note={t('quickTranslationLogNote')}
        />
      )}
      <Action to="/download" icon="download" title={t('quickDownload')} note={t('quickDownloadNote')} />
    </nav>
  );
}
