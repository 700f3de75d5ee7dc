import { useEffect } from 'react';
import { showRefusal } from '../../../shared/api/show-refusal.js';
import { freshUser, isMain, useMember } from '../../../shared/auth/user.js';
import { AccountFacts } from './account-facts.js';
import { FirstSteps } from './first-steps.js';
import { InviteCard } from './invite-card.js';
import { LogOff } from './log-off.js';
import { OverviewHead } from './overview-head.js';
import { QuickActions } from './quick-actions.js';
import { QuotaPanel } from './quota-panel.js';
import { RecentEntries } from './recent-entries.js';
import { SavingsCard } from './savings/savings-card.js';
import { UsageCard } from './usage-card.js';
import { useUsage, useUsageDays } from './usage-days.js';
import { UsageShare } from './usage-share.js';
import './overview.css';

/** /UserCenterIndex (specification §2). */
export default function OverviewPage() {
  const user = useMember();
  const days = useUsageDays();
  const usage = useUsage(days);
  useEffect(() => {
    // The stored member may be older than the last translation; it is shown until the answer comes.
    freshUser().catch(showRefusal);
  }, []);
  const main = isMain(user);

  return (
    <>
      <OverviewHead user={user} />
      {main && <FirstSteps key={user.userId} user={user} />}
      <div className={main ? 'ov-grid' : 'ov-grid ov-grid-sub'}>
        <QuotaPanel user={user} />
        {main && user.inviteCode !== null && <InviteCard code={user.inviteCode} count={user.inviteCount} />}
        <QuickActions user={user} />
        <UsageCard days={days} query={usage} />
        <AccountFacts user={user} />
        <RecentEntries />
        {main && <UsageShare days={days} query={usage} />}
        <SavingsCard user={user} />
      </div>
      {main && <LogOff />}
    </>
  );
}
