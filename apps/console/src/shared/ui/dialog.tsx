import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.js';
import { Icon } from './icon.js';

type DialogProps = {
  title: string;
  /** While true neither Escape nor the cross closes it (DESIGN §4). */
  busy?: boolean;
  /** A drawer from below on phones. */
  drawer?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * Open while it is rendered. Focus begins at `[data-first]`, else at the cross. The browser's own modal traps the focus and gives it back; the mask does nothing.
 */
export function Dialog({ title, busy = false, drawer = false, onClose, children }: DialogProps) {
  const t = useTexts('shared');
  const ref = useRef<HTMLDialogElement>(null);
  // Before the element goes: a dialog that is closed in the page gives the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={drawer ? 'dlg drawer' : 'dlg'}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onClose();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button
          type="button"
          className="x"
          aria-label={t('close')}
          aria-disabled={busy}
          onClick={() => !busy && onClose()}
        >
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
