import { useEffect, useState } from 'react';
import { currentView } from '../shared/api/session.js';
import { useMessages } from '../shared/i18n/messages.js';
import { useIsLive } from './shared/use-live.js';
import { useOnline } from '../shared/ui/use-online.js';
import { Icon } from '../shared/ui/icon.js';

/** The stream reconnects after a second (specification §9); only a longer gap is shown. */
const GRACE_MS = 5_000;

/** Whether a visible page has been without its stream for a while; a hidden page has none. */
function useBroken(): boolean {
  const connected = useIsLive();
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    if (connected || currentView()) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const begin = (): void => {
      clearTimeout(timer);
      setBroken(false);
      if (document.visibilityState === 'visible') timer = setTimeout(() => setBroken(true), GRACE_MS);
    };
    timer = setTimeout(begin);
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', begin);
      setBroken(false);
    };
  }, [connected]);
  return broken;
}

/** Shows in the top bar that live updates are interrupted. */
export function ConnectionSign() {
  const t = useMessages('console');
  const online = useOnline();
  const broken = useBroken();
  const text = online ? (broken ? t('reconnecting') : null) : t('offline');
  return (
    <div className="connection-sign" role="status">
      {text !== null && (
        <>
          <Icon name={online ? 'refresh' : 'alert'} />
          <span>{text}</span>
        </>
      )}
    </div>
  );
}
