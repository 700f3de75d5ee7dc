import { useState } from 'react';
import { parsed, textOf } from './json.js';

type State = { value: unknown; text: string; isBroken: boolean };

const stateOf = (value: unknown): State => ({ value, text: textOf(value), isBroken: false });

/** A document being edited, by its form and as raw text, always in step; text that is no JSON yet leaves the value alone. */
export function useDraft(initial: unknown) {
  const [state, setState] = useState(() => stateOf(initial));
  return {
    ...state,
    setValue: (value: unknown): void => setState(stateOf(value)),
    setText: (text: string): void =>
      setState((old) => {
        const read = parsed(text);
        return read ? { value: read.value, text, isBroken: false } : { ...old, text, isBroken: true };
      }),
  };
}

export type Draft = ReturnType<typeof useDraft>;
