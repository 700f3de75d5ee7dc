import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Icon } from './icon.js';

type DialogProps = {
  title: string;
  /** While true, neither Escape nor the close button closes it (DESIGN §4). */
  busy?: boolean;
  /** A bottom drawer on phones. */
  drawer?: boolean;
  /** Id of the warning: makes it an alertdialog. */
  warning?: string;
  /** Id of the description, announced when it opens. */
  news?: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
};

/**
 * Open while rendered. Initial focus goes to `[data-first]`, else to the close button. The native modal dialog traps and restores the
 * focus; the backdrop does not close it.
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
  // Before unmounting: closing a connected dialog restores the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={`dialog ${drawer ? 'drawer' : ''} ${className}`.trim()}
      aria-label={title}
      aria-describedby={news}
      {...(warning === undefined ? {} : { role: 'alertdialog', 'aria-describedby': warning })}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onClose();
      }}
      // Browsers close a dialog on Escape without a cancelable event when the user has not interacted with the page.
      onClose={({ currentTarget: dialog }) => {
        if (dialog.open) return;
        if (busy) dialog.showModal();
        else onClose();
      }}
    >
      {/* Not <header>, which would be another banner landmark. */}
      <div className="dialog-header">
        <h2>{title}</h2>
        <button
          type="button"
          className="close-button"
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
