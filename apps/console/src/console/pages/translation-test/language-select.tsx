import { Select, type RefSelectProps } from 'antd';
import { useMemo, useState, type Ref } from 'react';
import { textsOf } from '../../../shared/i18n/texts.js';
import { matches, rankOf, type LanguageChoice, type LanguageGroup } from './languages.js';

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

// Not the hook's: what is made with it below stays as it is from one key stroke to the next.
const t = textsOf('translation-test');
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

/** A language out of all of them, found by its names in both languages, its own name, its code or pinyin initials. */
export function LanguageSelect({ label, value, groups, onChange, ref }: LanguageSelectProps) {
  const [typed, setTyped] = useState('');
  const options = useMemo(() => groups.map(optionsOf), [groups]);
  // Groups are sorted by the same function, and stay as they are.
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
        <span className="tt-option">
          <Name choice={data.choice} />
          <code>{data.choice.code}</code>
        </span>
      )}
    />
  );
}
