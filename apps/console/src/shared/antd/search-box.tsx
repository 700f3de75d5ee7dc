import { Input } from 'antd';
import { useEffect, useRef, useState, type ChangeEvent, type CompositionEvent } from 'react';
import { clearable } from './clearable.js';
import { Icon } from '../ui/icon.js';
import './search-box.css';

const PAUSE_MS = 300;
const LONGEST = 64; // longer input is not a search

type SearchBoxProps = {
  /** Placeholder and label. */
  label: string;
  value: string;
  onSearch: (text: string) => void;
};

/** Searches while typing, after a short pause, or at once with Enter; not while an input method is composing. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [{ of, text }, setTyped] = useState({ of: value, text: value });
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  // A search changed elsewhere (reset, back button) shows in the field.
  const shown = of === value ? text : value;

  const searchLater = (next: string): void => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => onSearch(next), next === '' ? 0 : PAUSE_MS);
  };
  const type = (event: ChangeEvent<HTMLInputElement>): void => {
    const next = event.target.value;
    setTyped({ of: value, text: next });
    if (!(event.nativeEvent as InputEvent).isComposing) searchLater(next);
  };

  return (
    <Input
      type="search"
      className="search-box"
      data-filter
      value={shown}
      maxLength={LONGEST}
      placeholder={label}
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      allowClear={clearable}
      prefix={<Icon name="search" />}
      onChange={type}
      onCompositionStart={() => clearTimeout(pause.current)}
      onCompositionEnd={(event: CompositionEvent<HTMLInputElement>) => searchLater(event.currentTarget.value)}
      onPressEnter={() => {
        clearTimeout(pause.current);
        onSearch(shown);
      }}
    />
  );
}
