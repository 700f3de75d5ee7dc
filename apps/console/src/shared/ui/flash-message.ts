/**
 * A flash message: a cookie carries the newest toast to the next document, so that "your password has changed" is still seen on the home
 * page (docs/decisions/0027). When a session ends, several tabs navigate at once and each shows the message, so the cookie outlives its
 * first reader briefly.
 */
import { toast, toastItems, type ToastKind } from './toast.js';

const LIFE_S = 30;
/** Tabs of a busy machine arrive seconds apart. */
const OTHERS_MS = 10_000;
const NAME = 'message';
const KINDS: readonly string[] = ['success', 'error', 'info'] satisfies ToastKind[];

const write = (value: string, seconds: number): void => {
  document.cookie = `${NAME}=${value}; Path=/; Max-Age=${seconds}; SameSite=Strict`;
};

/** Call before leaving this document. */
export function keepMessage(): void {
  const item = toastItems().at(-1);
  if (item) write(`${item.kind}.${encodeURIComponent(item.text)}`, LIFE_S);
}

/** Call once this document can show toasts: their three seconds start then, however slowly the page loaded. */
export function showKeptMessage(): void {
  const [, kind = '', text = ''] = /(?:^|; )message=([a-z]+)\.([^;]*)/.exec(document.cookie) ?? [];
  if (kind === '') return;
  setTimeout(() => write('', 0), OTHERS_MS);
  if (KINDS.includes(kind)) toast[kind as ToastKind](decoded(text));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
