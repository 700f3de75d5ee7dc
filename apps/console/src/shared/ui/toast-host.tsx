import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useMessages } from '../i18n/messages.js';
import { showKeptMessage } from './flash-message.js';
import { Icon } from './icon.js';
import { dismissToast, subscribeToasts, toastItems, type ToastItem } from './toast.js';

/** No toasts on the server. */
const NONE: readonly ToastItem[] = [];
const ICONS = { success: 'check', error: 'alert', info: 'info' } as const;

function Toast({ item }: { item: ToastItem }) {
  const t = useMessages('shared');
  return (
    <div className={`toast ${item.kind}`} role={item.kind === 'error' ? 'alert' : 'status'}>
      <Icon name={ICONS[item.kind]} />
      <span>{item.text}</span>
      {item.kind === 'error' && (
        <button type="button" className="close-button" aria-label={t('close')} onClick={() => dismissToast(item.id)}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

/** Rendered once. A popover, shown again with every toast, so that it is above dialogs, which are in the top layer. */
export function ToastHost() {
  const items = useSyncExternalStore(subscribeToasts, toastItems, () => NONE);
  const host = useRef<HTMLDivElement>(null);
  useEffect(showKeptMessage, []);
  useLayoutEffect(() => {
    host.current?.hidePopover();
    if (items.length > 0) host.current?.showPopover();
  }, [items]);
  return (
    <div className="toasts" popover="manual" ref={host}>
      {items.map((item) => (
        <Toast key={item.id} item={item} />
      ))}
    </div>
  );
}
