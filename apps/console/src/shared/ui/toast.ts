/** Toasts for public and console pages (DESIGN §4), rendered by `toast-host.tsx`. */
export type ToastKind = 'success' | 'error' | 'info';
export type ToastItem = { id: number; kind: ToastKind; text: string };

const SHOWN_MS = 3_000;
const MOST = 4;

let items: readonly ToastItem[] = [];
let nextId = 1;
const listeners = new Set<() => void>();
const publish = (next: readonly ToastItem[]): void => {
  items = next;
  listeners.forEach((listener) => listener());
};

export const toastItems = (): readonly ToastItem[] => items;
export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const dismissToast = (id: number): void => publish(items.filter((item) => item.id !== id));

function show(kind: ToastKind, text: string): void {
  const id = nextId++;
  // A repeated text replaces the earlier toast.
  publish([...items.filter((item) => item.text !== text), { id, kind, text }].slice(-MOST));
  if (kind !== 'error') setTimeout(() => dismissToast(id), SHOWN_MS);
}

/** Errors stay until dismissed; others disappear after three seconds. */
export const toast = {
  success: (text: string): void => show('success', text),
  error: (text: string): void => show('error', text),
  info: (text: string): void => show('info', text),
};
