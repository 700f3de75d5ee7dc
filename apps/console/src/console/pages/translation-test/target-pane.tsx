import { Button } from 'antd';
import { useTexts } from '../../../shared/i18n/texts.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { Direction } from './abilities.js';
import { isElsewhere, type Pane } from './panes.js';
import { quoteText } from './quote-text.js';
import { RefusalPane, type Steps } from './refusal-pane.js';
import { Result } from './result.js';
import type { Shown } from './use-desk.js';
import type { Done } from './visits.js';
import { Waiting } from './waiting.js';

/** What a pane says that nothing was asked of yet. */
const NOTHING_YET = {
  cannot: 'cannotHere',
  notIncluded: 'notIncludedHere',
  free: 'resultPlaceholder',
  chars: 'resultPlaceholder',
} as const satisfies Record<Shown['quote']['kind'], unknown>;

type TargetPaneProps = {
  channel: Shown;
  pane: Pane | undefined;
  /** One pane needs no head of its own: the bar above it names the channel. */
  alone: boolean;
  /** The text can be sent through this channel by itself now. */
  askable: boolean;
  names: { languageName: (code: string) => string; channelName: (id: number) => string };
  /** What the bars above name now. */
  direction: Direction;
  /** The language that was found, as the bar above says. */
  found: string | null;
  steps: Omit<Steps, 'onRetry'>;
  onAsk: () => void;
  onRetry: () => void;
  onAgain: () => void;
  onRemove: () => void;
};

/** An answer to what was asked before the direction changed says its own direction: the bar above it says another one. */
function Late({ done: { answer }, languageName }: { done: Done; languageName: (code: string) => string }) {
  return (
    <p className="tt-marks">
      <span className="tag">
        {languageName(answer.source)} → {languageName(answer.target)}
      </span>
    </p>
  );
}

/** What one channel makes of the text. Nothing that happens here touches the panes beside it. */
export function TargetPane(props: TargetPaneProps) {
  const { channel, pane, alone, askable, names, direction, found, steps, onAsk, onRetry, onAgain, onRemove } = props;
  const t = useTexts('translation-test');
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
          {channel.own && <span className="tag mov">{t('yours')}</span>}
          <span className="num faint">{quoteText(channel.quote, t)}</span>
          <button
            type="button"
            className="x"
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
        <RefusalPane refused={pane} languageName={names.languageName} steps={{ ...steps, onRetry }} />
      )}
    </div>
  );
}
