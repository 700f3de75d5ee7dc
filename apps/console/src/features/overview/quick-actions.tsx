import { useQuery } from '@tanstack/react-query';
import { listChildUsers } from '@yiqiao/contracts/sub-accounts';
import { Link } from 'react-router';
import { call } from '../../shared/api/call.js';
import { isMain, type User } from '../../shared/auth/user.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { Icon, type IconName } from '../../shared/ui/icon.js';

type ActionProps = { to: string; icon: IconName; title: string; note: string };

function Action({ to, icon, title, note }: ActionProps) {
  return (
    <Link to={to}>
      <Icon name={icon} />
      <b>{title}</b>
      <span>{note}</span>
      <Icon name="forward" className="go" />
    </Link>
  );
}

/** How many there are: the total of a page of one. */
function SubAccounts() {
  const t = useTexts('overview');
  const { data } = useQuery({
    queryKey: ['children', 'count'],
    queryFn: ({ signal }) => call(listChildUsers, { pageSize: '1' }, { signal }),
    retry: false,
  });
  const note = data && data.total > 0 ? t('quickChildrenCount', { n: grouped(data.total) }) : t('quickChildrenNote');
  return <Action to="/UserCenterChild" icon="users" title={t('quickChildren')} note={note} />;
}

export function QuickActions({ user }: { user: User }) {
  const t = useTexts('overview');
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
      <Action
        to="/UserCenterChangeTranslateLog"
        icon="list"
        title={t('quickTranslationLog')}
        note={t('quickTranslationLogNote')}
      />
      {!main && (
        <Action to="/UserCenterLoginLog" icon="clock" title={t('quickLoginLog')} note={t('quickLoginLogNote')} />
      )}
    </nav>
  );
}
