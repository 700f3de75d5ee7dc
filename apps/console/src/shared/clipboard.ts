import { messagesOf } from './i18n/messages.js';
import { toast } from './ui/toast.js';

/** The way that works without HTTPS too: a page served by address on a local network has no clipboard object. */
function copyBySelection(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.cssText = 'position:fixed;opacity:0';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** The innermost element around `from` or beside it that shows this text and nothing else; null when the page does not show it as it is copied. */
function whereShown(text: string, from: Element): Element | null {
  const shows = (element: Element): boolean => element.textContent?.trim() === text.trim();
  for (let around: Element | null = from; around && around !== document.body; around = around.parentElement) {
    const found = [around, ...around.querySelectorAll('*')].findLast(shows);
    if (found) return found;
  }
  return null;
}

/**
 * Copies and says so; the message is the same when the browser refuses (specification §8). Then the text is selected where it stands
 * on the page, ready to be copied by hand. `from`: what was pressed.
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
