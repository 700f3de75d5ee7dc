import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Icon } from './icon.js';

type DialogProps = {
  title: string;
  /** While true neither Escape nor the cross closes it (DESIGN §4). */
  busy?: boolean;
  /** A drawer from below on phones. */
  drawer?: boolean;
  /** The id of what it warns of: a dialog that must be heard before anything else is done. */
  warning?: string;
  /** The id of what it says, read out when it opens. */
  news?: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
};

/**
 * Open while it is rendered. Focus begins at `[data-first]`, else at the cross. The browser's own modal traps the focus and gives it back; the mask does nothing.
 */
export function Dialog({
  title,
  busy = false,
  drawer = false,
  warning,
  news,
  className = '',
  onClose,
  children,
}: DialogProps) {
  const t = useMessages('shared');
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
      className={`dlg ${drawer ? 'drawer' : ''} ${className}`.trim()}
      aria-label={title}
      aria-describedby={news}
      {...(warning === undefined ? {} : { role: 'alertdialog', 'aria-describedby': warning })}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onClose();
      }}
      // A browser closes a dialog by itself when Escape comes before the person has touched the page.
      onClose={({ currentTarget: dialog }) => {
        if (dialog.open) return;
        if (busy) dialog.showModal();
        else onClose();
      }}
    >
      {/* Not <header>: in a dialog it would be one more banner of the page. */}
      <div className="dlg-head">
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
      </div>
      {children}
    </dialog>
  );
}
