import { MEDIA_UPSTREAM_MS } from '@yiqiao/domain/limits';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useTexts } from '../../../../shared/i18n/texts.js';

const TICK_MS = 500;
const SLOW_MS = 2_000;

/** Counts from when it is first shown. */
function Elapsed({ working }: { working: string }) {
  const t = useTexts('media');
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const begun = performance.now();
    const timer = setInterval(() => setWaited(performance.now() - begun), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor(waited / 1_000);
  const most = MEDIA_UPSTREAM_MS / 1_000;
  return (
    <p>
      <progress max={most} value={Math.min(seconds, most)} aria-hidden="true" />
      <span role="status">{working}</span>
      {waited >= SLOW_MS && (
        <span className="num" aria-hidden="true">
          {t('stillGoing', { n: seconds, max: most })}
        </span>
      )}
    </p>
  );
}

type MediaWaitingProps = {
  /** How much of the file has left, from 0 to 1. */
  sent: number;
  /** What is done with it then. */
  working: string;
  onGiveUp: () => void;
};

/** First the file on its way, then what is made of it, and how long that has been of how long it can be. */
export function MediaWaiting({ sent, working, onGiveUp }: MediaWaitingProps) {
  const t = useTexts('media');
  const percent = Math.floor(sent * 100);
  return (
    <div className="tt-waiting md-waiting">
      {sent < 1 ? (
        <p>
          <progress max={100} value={percent} aria-label={t('sending')} />
          <span className="num">
            {t('sending')} {percent}%
          </span>
        </p>
      ) : (
        <Elapsed working={working} />
      )}
      <Button size="small" onClick={onGiveUp}>
        {t('giveUp')}
      </Button>
    </div>
  );
}
