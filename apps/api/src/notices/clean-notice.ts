import type { NoticeTexts } from '@yiqiao/contracts/operator/notices';
import { cleanHtml } from './clean-html.js';

/** The texts with sanitized content; null when nothing to read is left of it. */
export function cleanNotice({ name, title, subTitle, content }: NoticeTexts): NoticeTexts | null {
  const cleaned = cleanHtml(content);
  const hasWords = /\p{L}|\p{N}/u.test(cleaned.replaceAll(/<[^>]*>/g, ''));
  return hasWords ? { name, title, subTitle, content: cleaned } : null;
}
