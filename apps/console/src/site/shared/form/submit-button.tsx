import type { ReactNode } from 'react';
import { useHydrated } from '../use-hydrated.js';

/**
 * Keeps its width while it works; a second press does nothing (DESIGN §4). Nor does a first one on a form that the server drew, until the
 * browser has taken it over: by itself it would put the password into the address.
 */
export function SubmitButton({ busy, wide, children }: { busy: boolean; wide?: boolean; children: ReactNode }) {
  const alive = useHydrated();
  return (
    <button
      type="submit"
      disabled={!alive}
      className={`button button-primary ${wide ? 'button-large button-block' : ''}`}
      aria-busy={busy}
      aria-disabled={busy}
    >
      {busy && <span className="spin" aria-hidden="true" />}
      {children}
    </button>
  );
}

/** What the whole form has to say; its line appears above the button. */
export function FormMessage({ text }: { text: string | null }) {
  return (
    <div role="alert" className={text ? 'note warning form-note' : 'form-note'}>
      {text}
    </div>
  );
}
