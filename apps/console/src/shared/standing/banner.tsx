import { useState } from 'react';
import { isMain, type User } from '../auth/user.js';
import { useMessages } from '../i18n/messages.js';
import { Icon } from '../ui/icon.js';
import { StandingHelp } from './standing-help.js';
import { standingText } from './standing-text.js';
import type { Standing } from './standing.js';
import { useStanding } from './use-standing.js';
import './banner.css';

/** Closed for this visit: the browser remembers nothing but what the specification names (decisions §2). */
const closed = new Set<string>();

const nameOf = (user: User, standing: Standing): string =>
  [user.userId, standing.kind, standing.kind === 'ending' ? standing.date : ''].join(' ');

/** Above every console page: one thing that the member should know of its package, the worst (docs/decisions/0022). */
export function StandingBanner() {
  const t = useMessages('standing');
  const stands = useStanding();
  const [, setClosings] = useState(0);
  const name = stands ? nameOf(stands.user, stands.standing) : '';
  const close = (): void => {
    closed.add(name);
    setClosings((n) => n + 1);
  };
  // The region is there before its words are, so that they are read out when they come.
  return (
    <div role="status" aria-label={t('label')}>
      {stands && !closed.has(name) && <Strip user={stands.user} standing={stands.standing} onClose={close} />}
    </div>
  );
}

function Strip({ user, standing, onClose }: { user: User; standing: Standing; onClose: () => void }) {
  const t = useMessages('standing');
  return (
    <div className={standing.kind === 'expired' ? 'sg-banner over' : 'sg-banner'}>
      <Icon name={standing.kind === 'low' ? 'info' : 'clock'} />
      <p className="num">{standingText(standing, { main: isMain(user), t })}</p>
      <StandingHelp user={user} standing={standing} className="btn btn-d btn-sm" />
      <button type="button" className="x" aria-label={t('close')} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}
