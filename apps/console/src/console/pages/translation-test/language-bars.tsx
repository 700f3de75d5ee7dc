import { type RefSelectProps, Select } from 'antd';
import { type Ref, useMemo, useState } from 'react';
import { messagesOf, useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { AUTO, type Direction } from './abilities.js';
import { type LanguageChoice, type LanguageGroup, matches, rankOf } from './languages.js';
import type { TextForm } from './use-text-form.js';

type LanguageSelectProps = {
  label: string;
  value: string;
  groups: readonly LanguageGroup[];
  onChange: (code: string) => void;
  ref?: Ref<RefSelectProps>;
};

function Name({ choice }: { choice: LanguageChoice }) {
  return (
    <span className="tt-lang">
      <b>{choice.name}</b>
      {choice.native !== null && <span lang={choice.code}>{choice.native}</span>}
    </span>
  );
}

// Not the hook, so that the options keep their identity between key strokes.
const t = messagesOf('translation-test');
const TITLES = {
  recent: 'recent',
  own: 'byYours',
  shown: 'availableNow',
  other: 'byOthers',
  none: 'needsChannel',
} as const;

const optionsOf = ({ kind, choices }: LanguageGroup) => ({
  label: t(TITLES[kind]),
  options: choices.map((choice) => ({ value: choice.code, label: choice.name, disabled: kind === 'none', choice })),
});
type Option = ReturnType<typeof optionsOf>['options'][number];

/** Picks a language, searched by its names in both languages, its own name, its code or pinyin initials. */
export function LanguageSelect({ label, value, groups, onChange, ref }: LanguageSelectProps) {
  const [typed, setTyped] = useState('');
  const options = useMemo(() => groups.map(optionsOf), [groups]);
  // antd sorts groups with the same function; they keep their order.
  const rank = (option: Partial<Option>): number => (option.choice ? rankOf(option.choice, typed) : 0);
  const chosen = useMemo(() => groups.flatMap((group) => group.choices).find((c) => c.code === value), [groups, value]);
  return (
    <Select<string, Option>
      ref={ref}
      className="tt-select"
      variant="borderless"
      showSearch
      aria-label={label}
      value={value}
      onChange={onChange}
      onSearch={setTyped}
      popupMatchSelectWidth={false}
      listHeight={400}
      classNames={{ popup: { root: 'tt-languages' } }}
      notFoundContent={t('noLanguage')}
      options={options as unknown as Option[]}
      filterOption={(word, candidate) => candidate?.choice !== undefined && matches(candidate.choice, word)}
      {...(typed.trim() === '' ? {} : { filterSort: (a, b) => rank(a) - rank(b) })}
      labelRender={() => (chosen ? <Name choice={chosen} /> : value)}
      optionRender={({ data }) => (
        <span className={data.disabled ? 'tt-option tt-option-off' : 'tt-option'}>
          <Name choice={data.choice} />
          <code>{data.choice.code}</code>
        </span>
      )}
    />
  );
}

type SourceBarProps = {
  form: Pick<TextForm, 'direction' | 'back' | 'sources' | 'fromSource' | 'languageName'>;
  /** The language detected in the last text sent from `auto`. */
  detected: string | null;
  onTurn: (direction: Direction) => void;
  onSwap: (back: Direction) => void;
  ref: Ref<RefSelectProps>;
};

/** The source language, the detected one, and the button that swaps the direction. */
export function SourceBar({ form, detected, onTurn, onSwap, ref }: SourceBarProps) {
  const t = useMessages('translation-test');
  const { source, target } = form.direction;
  const back = form.back(detected);
  return (
    <div className="tt-bar">
      <LanguageSelect
        ref={ref}
        label={t('source')}
        value={source}
        groups={form.sources}
        onChange={(code) => onTurn(form.fromSource(code))}
      />
      {source === AUTO && detected !== null && detected !== target && (
        <button
          type="button"
          className="tt-found"
          title={t('useDetected')}
          onClick={() => onTurn({ source: detected, target })}
        >
          {t('detected', { name: form.languageName(detected) })}
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
  form: TextForm;
  picker: { id: string; open: boolean; toggle: () => void };
  onTurn: (direction: Direction) => void;
  ref: Ref<HTMLButtonElement>;
};

/** The target language, and the channels. */
export function TargetBar({ form, picker, onTurn, ref }: TargetBarProps) {
  const t = useMessages('translation-test');
  const { direction, shown, targets, payer } = form;
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
