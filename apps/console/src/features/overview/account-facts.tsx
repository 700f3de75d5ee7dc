import { useState, type ReactNode } from 'react';
import { isMain, type User } from '../../shared/auth/user.js';
import { nameIn, useChannels } from '../../shared/channels/use-channels.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { Card } from '../../shared/ui/console/card.js';
import { AutoDistribution } from './auto-distribution.js';
import { ChannelDialog } from './channel-dialog.js';

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

/** The channel in use; a main account may change it (specification §2, §6). */
function Channel({ user }: { user: User }) {
  const t = useTexts('overview');
  const channels = useChannels();
  const [dialog, setDialog] = useState({ shown: false, open: false });
  return (
    <>
      {nameIn(channels.data, user.tranChannelId)}
      {isMain(user) && (
        <button type="button" className="link" onClick={() => setDialog({ shown: true, open: true })}>
          {t('changeChannel')}
        </button>
      )}
      {dialog.shown && (
        <ChannelDialog
          frame={{
            open: dialog.open,
            onClose: () => setDialog({ shown: true, open: false }),
            afterClose: () => setDialog({ shown: false, open: false }),
          }}
        />
      )}
    </>
  );
}

/** What the account is set to, and its logins (specification §2). */
export function AccountFacts({ user }: { user: User }) {
  const t = useTexts('overview');
  const { lastLoginLog } = user;
  return (
    <Card title={t('facts')} className="ov-facts">
      <dl>
        <Fact label={t('channel')}>
          <Channel user={user} />
        </Fact>
        {isMain(user) && (
          <Fact label={t('autoDistribution')}>
            <AutoDistribution user={user} />
          </Fact>
        )}
        <Fact label={t('loginDays')}>{t('loginDaysValue', { n: lastLoginLog?.sumDay ?? 1 })}</Fact>
        <Fact label={t('lastLogin')}>{lastLoginLog?.loginDateTime ?? t('firstLogin')}</Fact>
        <Fact label={t('registered')}>{user.registerDateTime}</Fact>
      </dl>
    </Card>
  );
}
