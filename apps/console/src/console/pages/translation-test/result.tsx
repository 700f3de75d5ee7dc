import { Button } from 'antd';
import { Link } from 'react-router';
import { secondsText } from '../../../shared/channels/health.js';
import { copyText } from '../../../shared/clipboard.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import { Icon } from '../../../shared/ui/icon.js';
import { AUTO } from './abilities.js';
import { Crossed } from './crossed.js';
import type { Done } from './visits.js';

type ResultProps = {
  done: Done;
  languageName: (code: string) => string;
  channelName: (id: number) => string;
  /** The language that the bar above says was found already. */
  found: string | null;
  /** Where the only pane says by itself where the cost is written down. */
  alone: boolean;
  /** Has it translated by the channel, whatever is remembered. */
  onAgain: () => void;
};

function Marks({ done, languageName, channelName, found }: Omit<ResultProps, 'alone' | 'onAgain'>) {
  const t = useTexts('translation-test');
  const { answer, asked, channelId } = done;
  const gloss = answer.quality === 'gloss';
  const elsewhere = answer.channelId !== channelId;
  const detected = asked.source === AUTO && answer.source !== found;
  const remembered = answer.cached === true;
  if (!gloss && !elsewhere && !detected && !remembered) return null;
  return (
    <p className="tt-marks">
      {gloss && (
        <span className="tag dec">
          <Icon name="info" />
          {t('gloss')}
        </span>
      )}
      {remembered && (
        <span className="tag add">
          <Icon name="clock" />
          {t('remembered')}
        </span>
      )}
      {elsewhere && (
        <span className="tag dec">
          <Icon name="swap" />
          {t('servedBy', { name: channelName(answer.channelId) })}
        </span>
      )}
      {detected && <span className="tag">{t('detected', { name: languageName(answer.source) })}</span>}
    </p>
  );
}

/** The text that has crossed, what it cost, and where that is written down. */
export function Result({ alone, onAgain, ...rest }: ResultProps) {
  const t = useTexts('translation-test');
  const { answer, seconds } = rest.done;
  const gloss = answer.quality === 'gloss';
  // What cost nothing has no entry in the ledger.
  const free = gloss || answer.cached === true;
  // A gloss is explained here in full; what the server says of it is on the badge already.
  const warning = gloss ? t('glossWhy') : answer.warning;
  const s = secondsText(seconds * 1_000);
  return (
    <>
      <div className="tt-result">
        <Marks {...rest} />
        <Crossed done={rest.done} />
        {warning !== null && (
          <p className="tt-warning">
            <Icon name="info" />
            <span>{warning}</span>
          </p>
        )}
      </div>
      <div className="tt-foot">
        <span className="num">
          {answer.charged > 0 ? t('charged', { s, n: grouped(answer.charged) }) : t('notCharged', { s })}
        </span>
        {alone && (
          <Link className="link" to={free ? '/UserCenterChangeTranslateLog' : '/UserCenterAccountLog'}>
            {t(free ? 'seeLog' : 'seeLedger')}
          </Link>
        )}
        {answer.cached && (
          <Button size="small" title={t('againCosts')} onClick={onAgain}>
            <Icon name="refresh" />
            {t('translateAgain')}
          </Button>
        )}
        <Button
          size="small"
          className="tt-copy"
          onClick={({ currentTarget }) => void copyText(answer.translated, currentTarget)}
        >
          <Icon name="copy" />
          {t('copyResult')}
        </Button>
      </div>
    </>
  );
}
