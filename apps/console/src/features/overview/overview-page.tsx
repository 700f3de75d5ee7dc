import { useEffect, useState } from 'react';
import { messageOf } from '../../shared/api/api-error.js';
import { isMain, refreshUser, useMember } from '../../shared/auth/user.js';
import { language } from '../../shared/i18n/language.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { NicknameDialog } from '../../shared/nickname/nickname-dialog.js';
import { PageHeader } from '../../shared/ui/console/page-header.js';
import { toast } from '../../shared/ui/toast.js';
import { AccountFacts } from './account-facts.js';
import { billingModeOf } from './billing-mode.js';
import { Copyable } from './copyable.js';
import { greetingOf } from './greeting.js';
import { InviteCard } from './invite-card.js';
import { LogOff } from './log-off.js';
import { QuickActions } from './quick-actions.js';
import { QuotaPanel } from './quota-panel.js';
import { RecentEntries } from './recent-entries.js';
import { SavingsCard } from './savings/savings-card.js';
import { UsageCard } from './usage-card.js';
import { UsageShare } from './usage-share.js';
import { useUsage } from './use-usage.js';
import './overview.css';

/** /UserCenterIndex (specification §2). */
export default function OverviewPage() {
  const t = useTexts('overview');
  const user = useMember();
  const usage = useUsage();
  const [renaming, setRenaming] = useState(false);
  useEffect(() => {
    // What is stored may be older than the last translation; it is shown until the answer comes.
    refreshUser().catch((error: unknown) => {
      const why = messageOf(error);
      if (why !== null) toast.error(why);
    });
  }, []);
  const main = isMain(user);
  const group = language === 'zh' ? user.memberGroup.name : user.memberGroup.enName;

  return (
    <>
      <PageHeader
        title={
          <>
            {t('greeting', { greeting: t(greetingOf(new Date().getHours())) })}
            <button type="button" className="ov-name" title={t('changeNickname')} onClick={() => setRenaming(true)}>
              <span className="dyn">{user.nickname}</span>
            </button>
          </>
        }
        note={
          <span className="ov-who">
            <span className="tag mov">{t(main ? 'mainAccount' : 'subAccount')}</span>
            {`${group} · ${t(billingModeOf(user) === 'time' ? 'byTime' : 'byChar')}`}
          </span>
        }
      >
        <div className="ov-ids">
          {main && <Copyable label={t('email')} value={user.account} />}
          <Copyable label={t('username')} value={user.username} />
        </div>
      </PageHeader>
      <div className={main ? 'ov-grid' : 'ov-grid sub'}>
        <QuotaPanel user={user} />
        {main && user.inviteCode !== null && <InviteCard code={user.inviteCode} count={user.inviteCount} />}
        <QuickActions user={user} />
        <UsageCard query={usage} />
        <AccountFacts user={user} />
        <RecentEntries />
        {main && <UsageShare query={usage} />}
        <SavingsCard user={user} />
      </div>
      {main && <LogOff />}
      <NicknameDialog open={renaming} onClose={() => setRenaming(false)} />
    </>
  );
}
