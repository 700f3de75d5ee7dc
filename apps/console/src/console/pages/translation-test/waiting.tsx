import { TEXT_UPSTREAM_MS } from '@yiqiao/domain/limits';
import { useEffect, useState } from 'react';
import { useTexts } from '../../../shared/i18n/texts.js';

const SKELETON_MS = 200;
const SLOW_MS = 3_000;
const TICK_MS = 500;

/** Nothing for the first moment, then the shape of a text, then how long it has been of how long it can be. */
export function Waiting() {
  const t = useTexts('translation-test');
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const begun = performance.now();
    const look = (): void => setWaited(performance.now() - begun);
    const first = setTimeout(look, SKELETON_MS);
    const timer = setInterval(look, TICK_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, []);
  const seconds = Math.floor(waited / 1_000);
  const most = TEXT_UPSTREAM_MS / 1_000;
  return (
    <div className="tt-waiting" role="status">
      <span className="vh">{t('translating')}</span>
      {/* A shade early is right: timers may fire before the clock says so. */}
      {waited >= SKELETON_MS - 20 &&
        ['92%', '84%', '46%'].map((width) => <i key={width} className="sk" style={{ width }} />)}
      {waited >= SLOW_MS && (
        <p className="num" aria-hidden="true">
          <progress max={most} value={Math.min(seconds, most)} />
          {t('stillGoing', { n: seconds, max: most })}
        </p>
      )}
    </div>
  );
}
