import { pairTerms } from '@yiqiao/contracts/glossary';
import { findTerms, type FoundTerm, type Term } from '@yiqiao/domain/glossary';
import { TEXT_UPSTREAM_MS } from '@yiqiao/domain/limits';
import { Button } from 'antd';
import { Fragment, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { secondsText } from '../../shared/channels/health.js';
import { copyText } from '../../../shared/clipboard.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { Icon } from '../../../shared/ui/icon.js';
import { AUTO, type Direction } from './abilities.js';
import type { Done } from './history.js';
import { isElsewhere, type Pane } from './panes.js';
import { quoteText } from './quote.js';
import { RefusalPane, type Steps } from './refusal-pane.js';
import type { Shown } from './use-text-form.js';

const NONE: readonly Term[] = [];

/** The family's terms for a pair of languages; empty while loading or after an error, because they are only displayed. */
function useTerms(source: string, target: string): readonly Term[] {
  const { data } = useEndpoint(pairTerms, { source, target });
  return data?.terms ?? NONE;
}

/** The translated text with glossary terms marked in it and listed below. */
function TranslatedText({ done: { answer, request } }: { done: Done }) {
  const t = useMessages('translation-test');
  const terms = useTerms(answer.source, answer.target);
  const used = [...new Map(findTerms(request.text, terms).map((found) => [found.term, found])).values()];
  // Only terms of the source text: a translation may contain the same words by chance.
  const marks = findTerms(
    answer.translated,
    used.map(({ term, translation }) => ({ term: translation, translation: term })),
  );
  return (
    <>
      <p className="tt-translated" lang={answer.target} dir="auto" data-testid="translated">
        <Marked text={answer.translated} marks={marks} />
      </p>
      {used.length > 0 && (
        <p className="tt-terms">
          <span>{t('terms')}</span>
          {used.map(({ term, translation }) => (
            <span key={term} className="dynamic-text">
              {t('termPair', { term, translation })}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function Marked({ text, marks }: { text: string; marks: readonly FoundTerm[] }) {
  return (
    <>
      {marks.map(({ start, end, translation }, at) => (
        <Fragment key={start}>
          {text.slice(marks[at - 1]?.end ?? 0, start)}
          <mark title={translation}>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  );
}

const SKELETON_MS = 200;
const SLOW_MS = 3_000;
const TICK_MS = 500;

/** Nothing at first, then a text skeleton, then the elapsed and maximum time. */
function Waiting() {
  const t = useMessages('translation-test');
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
      <span className="visually-hidden">{t('translating')}</span>
      {/* A shade early is right: timers may fire before the clock says so. */}
      {waited >= SKELETON_MS - 20 &&
        ['92%', '84%', '46%'].map((width) => <i key={width} className="skeleton" style={{ width }} />)}
      {waited >= SLOW_MS && (
        <p className="numeric" aria-hidden="true">
          <progress max={most} value={Math.min(seconds, most)} />
          {t('stillGoing', { n: seconds, max: most })}
        </p>
      )}
    </div>
  );
}

type ResultProps = {
  done: Done;
  languageName: (code: string) => string;
  channelName: (id: number) => string;
  /** The detected language if the bar above shows it. */
  found: string | null;
  /** Whether to link to the log: the only pane does so itself. */
  alone: boolean;
  /** Translates again, bypassing the translation memory. */
  onAgain: () => void;
};

function Marks({ done, languageName, channelName, found }: Omit<ResultProps, 'alone' | 'onAgain'>) {
  const t = useMessages('translation-test');
  const { answer, request, channelId } = done;
  const gloss = answer.quality === 'gloss';
  const elsewhere = answer.channelId !== channelId;
  const detected = request.source === AUTO && answer.source !== found;
  const remembered = answer.cached === true;
  if (!gloss && !elsewhere && !detected && !remembered) return null;
  return (
    <p className="tt-marks">
      {gloss && (
        <span className="badge decrease">
          <Icon name="info" />
          {t('gloss')}
        </span>
      )}
      {remembered && (
        <span className="badge increase">
          <Icon name="clock" />
          {t('remembered')}
        </span>
      )}
      {elsewhere && (
        <span className="badge decrease">
          <Icon name="swap" />
          {t('servedBy', { name: channelName(answer.channelId) })}
        </span>
      )}
      {detected && <span className="badge">{t('detected', { name: languageName(answer.source) })}</span>}
    </p>
  );
}

/** The translated text, its cost, and a link to the log that shows it. */
function Result({ alone, onAgain, ...rest }: ResultProps) {
  const t = useMessages('translation-test');
  const { answer, seconds } = rest.done;
  const gloss = answer.quality === 'gloss';
  // A free translation has no ledger entry.
  const free = gloss || answer.cached === true;
  // A gloss is explained here in full; the server's note is already on the badge.
  const warning = gloss ? t('glossWhy') : answer.warning;
  const s = secondsText(seconds * 1_000);
  return (
    <>
      <div className="tt-result">
        <Marks {...rest} />
        <TranslatedText done={rest.done} />
        {warning !== null && (
          <p className="tt-warning">
            <Icon name="info" />
            <span>{warning}</span>
          </p>
        )}
      </div>
      <div className="tt-foot">
        <span className="numeric">
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

/** The message of a pane without a request. */
const NOTHING_YET = {
  cannot: 'cannotHere',
  notIncluded: 'notIncludedHere',
  free: 'resultPlaceholder',
  chars: 'resultPlaceholder',
} as const satisfies Record<Shown['quote']['kind'], unknown>;

type TargetPaneProps = {
  channel: Shown;
  pane: Pane | undefined;
  /** A single pane has no header: the bar above it names the channel. */
  alone: boolean;
  /** Whether the text can be sent through this channel alone now. */
  askable: boolean;
  names: { languageName: (code: string) => string; channelName: (id: number) => string };
  /** The direction shown in the bars above. */
  direction: Direction;
  /** The detected language, as shown in the bar above. */
  found: string | null;
  steps: Omit<Steps, 'onRetry'>;
  /** Whether another channel could be chosen for a direction. */
  hasOther: (direction: Direction) => boolean;
  onAsk: () => void;
  onRetry: () => void;
  onAgain: () => void;
  onRemove: () => void;
};

/** The direction of an answer that was requested before the direction changed. */
function Late({ done: { answer }, languageName }: { done: Done; languageName: (code: string) => string }) {
  return (
    <p className="tt-marks">
      <span className="badge">
        {languageName(answer.source)} → {languageName(answer.target)}
      </span>
    </p>
  );
}

/** The pane of one channel, independent of the panes beside it. */
export function TargetPane(props: TargetPaneProps) {
  const { channel, pane, alone, askable, names, direction, found, steps, hasOther } = props;
  const { onAsk, onRetry, onAgain, onRemove } = props;
  const t = useMessages('translation-test');
  return (
    <div
      className="tt-pane tt-target"
      role="group"
      aria-label={channel.name}
      aria-live="polite"
      aria-busy={pane?.status === 'busy'}
    >
      {!alone && (
        <header className="tt-head">
          <b>{channel.name}</b>
          {channel.own && <span className="badge transfer">{t('yours')}</span>}
          <span className="numeric faint">{quoteText(channel.quote, t)}</span>
          <button
            type="button"
            className="close-button"
            aria-label={t('removeChannel', { name: channel.name })}
            title={t('removeChannel', { name: channel.name })}
            onClick={onRemove}
          >
            <Icon name="close" />
          </button>
        </header>
      )}
      {pane === undefined && <p className="tt-nothing">{t(NOTHING_YET[channel.quote.kind])}</p>}
      {pane === undefined && askable && (
        <Button className="tt-only" onClick={onAsk}>
          {t('onlyThis')}
        </Button>
      )}
      {pane?.status === 'busy' && <Waiting />}
      {pane?.status === 'done' && isElsewhere(pane.done, direction) && (
        <Late done={pane.done} languageName={names.languageName} />
      )}
      {pane?.status === 'done' && <Result done={pane.done} alone={alone} found={found} onAgain={onAgain} {...names} />}
      {pane?.status === 'refused' && (
        <RefusalPane
          refused={pane}
          languageName={names.languageName}
          hasOther={hasOther}
          steps={{ ...steps, onRetry }}
        />
      )}
    </div>
  );
}
