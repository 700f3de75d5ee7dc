import { CHANNELS, channelCodeOf } from '@yiqiao/domain/channels';
import type { ReactNode } from 'react';
import { isMain, type User } from '../../shared/auth/user.js';
import { language } from '../../shared/i18n/language.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { Card } from '../../shared/ui/console/card.js';
import { billingModeOf } from './billing-mode.js';

const channelName = (id: number): string => {
  const code = channelCodeOf(id);
  if (code === null) return String(id);
  return language === 'zh' ? CHANNELS[code].name : CHANNELS[code].enName;
};

/** What the account is: group, billing, channel, logins (specification §2). */
export function AccountFacts({ user }: { user: User }) {
  const t = useTexts('overview');
  const { lastLoginLog, memberGroup } = user;
  const facts: [string, ReactNode][] = [
    [t('memberGroup'), language === 'zh' ? memberGroup.name : memberGroup.enName],
    [t('billing'), t(billingModeOf(user) === 'time' ? 'byTime' : 'byChar')],
    [t('channel'), channelName(user.tranChannelId)],
  ];
  if (isMain(user)) facts.push([t('autoDistribution'), t(user.autoDistribution === 1 ? 'on' : 'off')]);
  facts.push(
    [t('loginDays'), t('loginDaysValue', { n: lastLoginLog?.sumDay ?? 1 })],
    [t('lastLogin'), lastLoginLog?.loginDateTime ?? t('firstLogin')],
    [t('registered'), user.registerDateTime],
  );
  return (
    <Card title={t('facts')} className="ov-facts">
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
