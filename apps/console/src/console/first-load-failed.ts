import { language } from '../shared/i18n/language.js';

/**
 * In place of the skeleton of console.html, which has the texts, when a file of the first page did not come. Loads the page again when the
 * network comes back.
 */
export function showFailedFirstLoad(): void {
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', showFailedFirstLoad);
    return;
  }
  const template = document.querySelector<HTMLTemplateElement>(`template[lang=${language}]`);
  const place = document.querySelector('.first-load-main');
  if (!template || !place) return;
  const failed = document.importNode(template.content, true);
  failed.querySelector('button')?.addEventListener('click', () => location.reload());
  place.replaceChildren(failed);
  addEventListener('online', () => location.reload());
}
