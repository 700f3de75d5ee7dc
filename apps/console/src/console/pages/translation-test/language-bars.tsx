import type { RefSelectProps } from 'antd';
import type { Ref } from 'react';
import { useTexts } from '../../../shared/i18n/texts.js';
import { Icon } from '../../../shared/ui/icon.js';
import { AUTO, type Direction } from './abilities.js';
import { LanguageSelect } from './language-select.js';
import type { Desk } from './use-desk.js';

type SourceBarProps = {
  desk: Pick<Desk, 'direction' | 'back' | 'sources' | 'fromSource' | 'languageName'>;
  /** The language that was found in the last text sent from `auto`. */
  detected: string | null;
  onTurn: (direction: Direction) => void;
  onSwap: (back: Direction) => void;
  ref: Ref<RefSelectProps>;
};

/** From which language, what was found, and turning round. */
export function SourceBar({ desk, detected, onTurn, onSwap, ref }: SourceBarProps) {
  const t = useTexts('translation-test');
  const { source, target } = desk.direction;
  const back = desk.back(detected);
  return (
    <div className="tt-bar">
      <LanguageSelect
        ref={ref}
        label={t('source')}
        value={source}
        groups={desk.sources}
        onChange={(code) => onTurn(desk.fromSource(code))}
      />
      {source === AUTO && detected !== null && detected !== target && (
        <button
          type="button"
          className="tt-found"
          title={t('useDetected')}
          onClick={() => onTurn({ source: detected, target })}
        >
          {t('detected', { name: desk.languageName(detected) })}
        </button>
      )}
      <button
        type="button"
        className="tt-swap"
        aria-label={t('swap')}
        title={back === null ? t(source === AUTO ? 'swapLater' : 'noWayBack') : t('swap')}
        disabled={back === null}
        onClick={() => back !== null && onSwap(back)}
      >
        <Icon name="swap" />
      </button>
    </div>
  );
}

type TargetBarProps = {
  desk: Desk;
  picker: { id: string; open: boolean; toggle: () => void };
  onTurn: (direction: Direction) => void;
  ref: Ref<HTMLButtonElement>;
};

/** Into which language, and through which channels. */
export function TargetBar({ desk, picker, onTurn, ref }: TargetBarProps) {
  const t = useTexts('translation-test');
  const { direction, shown, targets, payer } = desk;
  const [first] = shown;
  return (
    <div className="tt-bar tt-bar-target">
      <LanguageSelect
        label={t('target')}
        value={direction.target}
        groups={targets}
        onChange={(code) => onTurn({ source: direction.source, target: code })}
      />
      <span className="tt-channel">
        <span>
          {shown.length > 1 ? t('sideBySide', { n: shown.length }) : t('through', { name: first?.name ?? '' })}
        </span>
        <button
          ref={ref}
          type="button"
          className="link"
          aria-expanded={picker.open}
          aria-controls={picker.id}
          onClick={picker.toggle}
        >
          {t(picker.open ? 'pickerClose' : payer.own.main ? 'pickerOpen' : 'pickerOpenSub')}
        </button>
      </span>
    </div>
  );
}
