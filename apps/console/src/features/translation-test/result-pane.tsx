import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { copyText } from '../../shared/clipboard.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { Icon } from '../../shared/ui/icon.js';
import type { Done } from './use-translate.js';

const SKELETON_MS = 200;
const SLOW_MS = 3_000;

/** Nothing for the first moment, then the shape of a text, then a word about the wait. */
export function Waiting() {
  const t = useTexts('translation-test');
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const timers = [SKELETON_MS, SLOW_MS].map((ms) => setTimeout(() => setWaited(ms), ms));
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <div className="tt-waiting" role="status">
      <span className="vh">{t('translating')}</span>
      {waited >= SKELETON_MS &&
        ['92%', '84%', '46%'].map((width) => <i key={width} className="sk" style={{ width }} />)}
      {waited >= SLOW_MS && <p>{t('stillGoing')}</p>}
    </div>
  );
}

type ResultProps = { done: Done; languageName: (code: string) => string };

/** The text that has crossed, what it cost, and where that is written down. */
export function Result({ done, languageName }: ResultProps) {
  const t = useTexts('translation-test');
  const { answer, asked, seconds } = done;
  const gloss = answer.quality === 'gloss';
  // A gloss is explained here in full; what the server says of it is on the badge already.
  const warning = gloss ? t('glossWhy') : answer.warning;
  const s = seconds.toFixed(seconds < 10 ? 1 : 0);
  return (
    <>
      <div className="tt-result">
        {(gloss || asked.source !== answer.source) && (
          <p className="tt-marks">
            {gloss && (
              <span className="tag dec">
                <Icon name="info" />
                {t('gloss')}
              </span>
            )}
            {asked.source !== answer.source && (
              <span className="tag">{t('detected', { name: languageName(answer.source) })}</span>
            )}
          </p>
        )}
        <p className="tt-crossed" lang={answer.target} dir="auto" data-testid="translated">
          {answer.translated}
        </p>
        {warning !== null && <p className="tt-warning">{warning}</p>}
      </div>
      <div className="tt-foot">
        <span className="num">
          {answer.charged > 0 ? t('charged', { s, n: grouped(answer.charged) }) : t('notCharged', { s })}
        </span>
        <Link className="link" to={gloss ? '/UserCenterChangeTranslateLog' : '/UserCenterAccountLog'}>
          {t(gloss ? 'seeLog' : 'seeLedger')}
        </Link>
        <Button size="small" className="tt-copy" onClick={() => void copyText(answer.translated)}>
          <Icon name="copy" />
          {t('copyResult')}
        </Button>
      </div>
    </>
  );
}
