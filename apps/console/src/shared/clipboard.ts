import { textsOf } from './i18n/texts.js';
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

/** Copies and says so; the message is the same when the browser refuses (specification §8). */
export async function copyText(text: string): Promise<void> {
  const focused = document.activeElement;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
    if (focused instanceof HTMLElement) focused.focus();
  }
  toast.success(textsOf('shared')('copied'));
}
