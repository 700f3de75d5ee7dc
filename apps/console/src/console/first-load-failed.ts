import { language } from '../shared/i18n/language.js';

// Its own texts: those of the console may be what did not come.
const TEXTS = {
  zh: { title: '页面加载失败', why: '可能是网络中断，或网站刚刚更新。', reload: '重新加载' },
  en: {
    title: 'The page couldn’t be loaded',
    why: 'The connection may have dropped, or the site was just updated.',
    reload: 'Reload',
  },
} as const;

/** In place of the skeleton of console.html, when a file of the first page did not come. Loads the page again when the network comes back. */
export function showFailedFirstLoad(): void {
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', showFailedFirstLoad);
    return;
  }
  const { title, why, reload } = TEXTS[language];
  const element = <T extends keyof HTMLElementTagNameMap>(tag: T, textContent: string) =>
    Object.assign(document.createElement(tag), { textContent });
  const button = element('button', reload);
  button.onclick = () => location.reload();
  const failed = Object.assign(document.createElement('div'), { role: 'alert', className: 'first-load-failed' });
  failed.append(element('h1', title), element('p', why), button);
  document.querySelector('.first-load-main')?.replaceChildren(failed);
  addEventListener('online', () => location.reload());
}
