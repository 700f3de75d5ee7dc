import { Input } from 'antd';
import { useEffect, useRef, useState, type ChangeEvent, type CompositionEvent } from 'react';
import { Icon } from '../ui/icon.js';
import './search-box.css';

const PAUSE_MS = 300;
const LONGEST = 64; // a pasted novel is no search

type SearchBoxProps = {
  /** What it looks for, as placeholder and label. */
  label: string;
  asked: string;
  onAsk: (text: string) => void;
};

/** Searches as one types, after a short pause, or at once with Enter; not while an input method is still composing. */
export function SearchBox({ label, asked, onAsk }: SearchBoxProps) {
  const [{ of, text }, setTyped] = useState({ of: asked, text: asked });
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  // Whatever else changes the question (reset, the back button) shows in the field.
  const shown = of === asked ? text : asked;

  const askLater = (next: string): void => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => onAsk(next), next === '' ? 0 : PAUSE_MS);
  };
  const type = (event: ChangeEvent<HTMLInputElement>): void => {
    const next = event.target.value;
    setTyped({ of: asked, text: next });
    if (!(event.nativeEvent as InputEvent).isComposing) askLater(next);
  };

  return (
    <Input
      type="search"
      className="search-box"
      value={shown}
      maxLength={LONGEST}
      placeholder={label}
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      allowClear={{ clearIcon: <Icon name="close" /> }}
      prefix={<Icon name="search" />}
      onChange={type}
      onCompositionStart={() => clearTimeout(pause.current)}
      onCompositionEnd={(event: CompositionEvent<HTMLInputElement>) => askLater(event.currentTarget.value)}
      onPressEnter={() => {
        clearTimeout(pause.current);
        onAsk(shown);
      }}
    />
  );
}
