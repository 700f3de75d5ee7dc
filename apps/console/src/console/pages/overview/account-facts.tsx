import { Suspense, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { isMain, type User } from '../../../shared/auth/user.js';
import { nameIn, useChannels } from '../../shared/channels/channels.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { AutoDistribution } from './auto-distribution.js';
import { ChannelDialog } from './lazy-dialogs.js';

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="numeric">{children}</dd>
    </div>
  );
}

/** The dialog has the address `?channel=change`, so that other pages link to it and the back button closes it. */
function useAddress() {
  const [params, setParams] = useSearchParams();
  const others = [...params].filter(([name]) => name !== 'channel');
  return {
    open: params.get('channel') === 'change',
    show: () => setParams([...others, ['channel', 'change']]),
    hide: () => setParams(others, { replace: true }),
  };
}

/** The channel in use; a main account may change it (specification §2, §6). */
function Channel({ user }: { user: User }) {
  const t = useMessages('overview');
  const channels = useChannels();
  const { open, show, hide } = useAddress();
  // Stays mounted until its closing animation has ended.
  const [shown, setShown] = useState(open);
  if (open && !shown) setShown(true);
  return (
    <>
      {nameIn(channels.data, user.tranChannelId)}
      {isMain(user) && (
        <button type="button" className="link" onClick={show}>
          {t('changeChannel')}
        </button>
      )}
      {isMain(user) && shown && (
        <Suspense>
          <ChannelDialog frame={{ open, onClose: hide, afterClose: () => setShown(false) }} />
        </Suspense>
      )}
    </>
  );
}

/** The settings of the account and its logins (specification §2). */
export function AccountFacts({ user }: { user: User }) {
  const t = useMessages('overview');
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
