import type { ReactNode } from 'react';

/** Keeps its width while it works; a second press does nothing (DESIGN §4). */
export function SubmitButton({ busy, wide, children }: { busy: boolean; wide?: boolean; children: ReactNode }) {
  return (
    <button
      type="submit"
      className={`btn btn-p ${wide ? 'btn-lg btn-block' : ''}`}
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
    <div role="alert" className={text ? 'note w form-note' : 'form-note'}>
      {text}
    </div>
  );
}
