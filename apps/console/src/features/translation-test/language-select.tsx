import { Select, type RefSelectProps } from 'antd';
import type { Ref } from 'react';
import { useTexts } from '../../shared/i18n/texts.js';
import { matches, type LanguageChoice } from './languages.js';

type LanguageSelectProps = {
  label: string;
  value: string;
  choices: readonly LanguageChoice[];
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

/** A language out of all of them, found by name, by its own name or by code; what works now stands first and alone can be chosen. */
export function LanguageSelect({ label, value, choices, onChange, ref }: LanguageSelectProps) {
  const t = useTexts('translation-test');
  const option = (choice: LanguageChoice) => ({
    value: choice.code,
    label: choice.name,
    disabled: !choice.enabled,
    choice,
  });
  const groups = [
    { label: t('availableNow'), options: choices.filter((c) => c.enabled).map(option) },
    { label: t('needsChannel'), options: choices.filter((c) => !c.enabled).map(option) },
  ].filter((group) => group.options.length > 0);
  const chosen = choices.find((c) => c.code === value);
  return (
    <Select<string, ReturnType<typeof option>>
      ref={ref}
      className="tt-select"
      variant="borderless"
      showSearch
      aria-label={label}
      value={value}
      onChange={onChange}
      popupMatchSelectWidth={false}
      classNames={{ popup: { root: 'tt-languages' } }}
      notFoundContent={t('noLanguage')}
      options={groups as unknown as ReturnType<typeof option>[]}
      filterOption={(typed, candidate) => candidate?.choice !== undefined && matches(candidate.choice, typed)}
      labelRender={() => (chosen ? <Name choice={chosen} /> : value)}
      optionRender={({ data }) => (
        <span className="tt-option">
          <Name choice={data.choice} />
          <code>{data.choice.code}</code>
        </span>
      )}
    />
  );
}
