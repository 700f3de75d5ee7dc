import { useEffect, useState } from 'react';
import { useTexts } from '../shared/i18n/texts.js';
import { useIsLive } from '../shared/live/use-live.js';
import { useOnline } from '../shared/online.js';
import { Icon } from '../shared/ui/icon.js';

/** The stream comes back after a second (specification §9); what lasts longer is said. */
const GRACE_MS = 5_000;

/** Whether the server has not been able to speak for a while, on a page that is looked at: a hidden one has no stream. */
function useBroken(): boolean {
  const connected = useIsLive();
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    if (connected) return undefined;
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

/** Says quietly, in the top bar, that what is on the screen does not move by itself right now. */
export function ConnectionSign() {
  const t = useTexts('console');
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
