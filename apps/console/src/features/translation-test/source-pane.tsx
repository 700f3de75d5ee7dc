import { TEXT_MAX_CODE_POINTS } from '@yiqiao/domain/limits';
import { codePoints } from '@yiqiao/domain/members';
import { Button, Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea.js';
import type { Ref } from 'react';
import { useTexts, type T } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import type { Cost } from './cost.js';
import { AUTO } from './pairs.js';
import { useOnline } from './use-online.js';

type SourcePaneProps = {
  text: string;
  lang: string;
  cost: Cost;
  /** Characters left, or null while they do not count. */
  balance: number | null;
  busy: boolean;
  onText: (text: string) => void;
  onSend: () => void;
  ref: Ref<TextAreaRef>;
};

const costText = (cost: Cost, t: T<'translation-test'>): string => {
  if (cost.kind === 'unknown') return t('noChannel');
  if (cost.kind === 'free') return t(cost.why === 'gloss' ? 'costGloss' : 'costPackage');
  return t(cost.atMost ? 'costAtMost' : 'costChars', { n: grouped(cost.chars) });
};

// On a phone the focus would open the keyboard over half the page.
const WITH_KEYBOARD = matchMedia('(hover: hover)').matches;
const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ ↵' : 'Ctrl + Enter';

/** The source above the waterline: text, its count and its cost before it is sent. */
export function SourcePane({ text, lang, cost, balance, busy, onText, onSend, ref }: SourcePaneProps) {
  const t = useTexts('translation-test');
  const online = useOnline();
  const length = codePoints(text);
  const over = length - TEXT_MAX_CODE_POINTS;
  const ready = text.trim() !== '' && over <= 0 && cost.kind !== 'unknown' && !busy;
  return (
    <div className="tt-pane tt-source">
      <Input.TextArea
        ref={ref}
        className="tt-text"
        variant="borderless"
        aria-label={t('text')}
        aria-describedby="tt-count"
        aria-invalid={over > 0}
        placeholder={t('placeholder')}
        value={text}
        lang={lang === AUTO ? undefined : lang}
        dir="auto"
        autoFocus={WITH_KEYBOARD}
        autoSize={{ minRows: 4, maxRows: 16 }}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (ready) onSend();
        }}
      />
      {!online && (
        <p className="tt-offline" role="status">
          {t('offline')}
        </p>
      )}
      <div className="tt-foot">
        <span id="tt-count" className={over > 0 ? 'num tt-over' : 'num'}>
          {over > 0
            ? t('tooLong', { n: grouped(over) })
            : t('count', { n: grouped(length), max: grouped(TEXT_MAX_CODE_POINTS) })}
        </span>
        {text !== '' && (
          <button type="button" className="tt-clear" onClick={() => onText('')}>
            {t('clear')}
          </button>
        )}
        <span className={cost.kind === 'unknown' ? 'num tt-over' : 'num'}>
          {((length > 0 && over <= 0) || cost.kind !== 'chars') && costText(cost, t)}
        </span>
        <span className="tt-send">
          {balance !== null && <span className="num tt-balance">{t('balance', { n: grouped(balance) })}</span>}
          <Button
            type="primary"
            disabled={!ready && !busy}
            loading={busy}
            onClick={onSend}
            title={t('shortcut', { keys: KEYS })}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {t(busy ? 'translating' : 'translate')}
          </Button>
        </span>
      </div>
    </div>
  );
}
