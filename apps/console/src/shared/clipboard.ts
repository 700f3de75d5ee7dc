import { messagesOf } from './i18n/messages.js';
import { toast } from './ui/toast.js';

/** Fallback without HTTPS: on a plain-HTTP origin there is no clipboard object. */
function copyBySelection(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.cssText = 'position:fixed;opacity:0';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** The innermost element near `from` that shows exactly this text, or null. */
function whereShown(text: string, from: Element): Element | null {
  const shows = (element: Element): boolean => element.textContent?.trim() === text.trim();
  for (let around: Element | null = from; around && around !== document.body; around = around.parentElement) {
    const found = [around, ...around.querySelectorAll('*')].findLast(shows);
    if (found) return found;
  }
  return null;
}

/**
 * Copies and shows a toast, which is the same when the browser refuses (specification §8). In that case the text is selected on the page,
 * to be copied by hand. `from`: the pressed button.
 */
export async function copyText(text: string, from: Element): Promise<void> {
  const focused = document.activeElement;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
    if (focused instanceof HTMLElement) focused.focus();
    const shown = whereShown(text, from);
    if (shown) getSelection()?.selectAllChildren(shown);
  }
  toast.success(messagesOf('shared')('copied'));
}
