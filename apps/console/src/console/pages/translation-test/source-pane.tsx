import { TEXT_MAX_CODE_POINTS } from '@yiqiao/domain/limits';
import { hasVisible } from '@yiqiao/domain/members';
import { Button, Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea.js';
import type { Ref } from 'react';
import { Link } from 'react-router';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { useOnline } from '../../../shared/ui/use-online.js';
import { PackageExpired, usePackageExpired } from '../../shared/package-warning/package-warning.js';
import { BeforeAfter } from '../../../shared/ui/before-after.js';
import { AUTO } from './abilities.js';
import { charsText, isAskable, sumText } from './quote.js';
import type { TextForm } from './use-text-form.js';

type BalanceLineProps = { form: Pick<TextForm, 'payer' | 'sum' | 'shown'>; counted: boolean };

/** The balance after sending: unchanged, before → after, or the shortfall and who can help. */
function BalanceLine({ form: { payer, sum }, counted }: BalanceLineProps) {
  const t = useMessages('translation-test');
  const { balance, own, helped } = payer;
  const over = usePackageExpired();
  const help = own.main ? (
    <Link className="link" to="/UserCenterRecharge">
      {t('toRecharge')}
    </Link>
  ) : (
    <span>{t('askMain')}</span>
  );
  if (over) return <PackageExpired className="tt-lack" />;
  if (balance === null) return null;
  const cost = counted && sum.kind === 'chars' ? sum.chars : 0;
  if (cost > balance)
    return (
      <span className={helped ? 'numeric tt-balance' : 'numeric tt-lack'}>
        {t(helped ? 'lackHelped' : 'lack', { n: grouped(cost - balance) })} {!helped && help}
      </span>
    );
  if (cost === 0) return <span className="numeric tt-balance">{t('balance', { n: grouped(balance) })}</span>;
  return (
    <span className="numeric tt-balance">
      {t('balanceLabel')}
      <BeforeAfter before={grouped(balance)} after={charsText(balance - cost, t)} />
    </span>
  );
}

type SourcePaneProps = {
  form: TextForm;
  busy: boolean;
  /** This very text has been translated: its price has been paid and is not announced again. */
  answered: boolean;
  onSend: () => void;
  ref: Ref<TextAreaRef>;
};

// On a phone the focus would open the keyboard.
const WITH_KEYBOARD = matchMedia('(hover: hover)').matches;
const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ ↵' : 'Ctrl + Enter';

/** Whether the text can be sent; the server checks everything else. */
export const isSendable = ({ text, length, sum }: TextForm): boolean =>
  hasVisible(text) && length <= TEXT_MAX_CODE_POINTS && isAskable(sum);

/** The source text, its length and its cost. */
export function SourcePane({ form, busy, answered, onSend, ref }: SourcePaneProps) {
  const t = useMessages('translation-test');
  const online = useOnline();
  const { text, length, setText, direction, sum, shown } = form;
  const over = length - TEXT_MAX_CODE_POINTS;
  const ready = isSendable(form) && !busy;
  const blank = text !== '' && !hasVisible(text);
  const counted = hasVisible(text) && over <= 0 && !answered;
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
        lang={direction.source === AUTO ? undefined : direction.source}
        dir="auto"
        autoFocus={WITH_KEYBOARD}
        autoSize={shown.length > 1 ? { minRows: 3, maxRows: 8 } : { minRows: 4, maxRows: 16 }}
        onChange={(event) => setText(event.target.value)}
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
        <span id="tt-count" className={over > 0 ? 'numeric tt-over' : 'numeric'}>
          {over > 0
            ? t('tooLong', { n: grouped(over) })
            : t('count', { n: grouped(length), max: grouped(TEXT_MAX_CODE_POINTS) })}
        </span>
        {text !== '' && (
          <button type="button" className="tt-clear" onClick={() => setText('')}>
            {t('clear')}
          </button>
        )}
        <span
          className={isAskable(sum) && !blank ? 'numeric' : 'numeric tt-over'}
          {...(blank ? { role: 'alert' } : {})}
        >
          {blank ? t('blank') : (counted || sum.kind !== 'chars') && sumText(sum, shown.length, t)}
        </span>
        <span className="tt-send">
          <BalanceLine form={form} counted={counted} />
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
