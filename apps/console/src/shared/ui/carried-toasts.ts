/**
 * The newest message crosses to the next document in a cookie: "your password has changed" is said in the console and read at home
 * (docs/decisions/0027). It lives for as long as a page takes to come. Several tabs may leave
 * at once, when a session ends, and each says it: so whoever reads it leaves it to the others for a moment.
 */
import { toast, toastItems, type ToastKind } from './toast.js';

const LIFE_S = 30;
const OTHERS_MS = 3_000;
const NAME = 'message';
const KINDS: readonly string[] = ['success', 'error', 'info'] satisfies ToastKind[];

const write = (value: string, seconds: number): void => {
  document.cookie = `${NAME}=${value}; Path=/; Max-Age=${seconds}; SameSite=Strict`;
};

/** Just before this document goes. */
export function carryToasts(): void {
  const item = toastItems().at(-1);
  if (item) write(`${item.kind}.${encodeURIComponent(item.text)}`, LIFE_S);
}

/** As soon as this document can show it: its three seconds begin then, however slow the page was to come. */
export function receiveToasts(): void {
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
