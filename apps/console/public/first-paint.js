// Before the first pixel, in a file of its own, because the content security policy lets no script stand in the page.
{
  const root = document.documentElement;
  const { pathname, search, hash } = location;
  // An old address of the download page (decisions §6): what stands after the # never reaches the server.
  const leaves = hash === '#/download' && pathname !== '/download';
  if (leaves) location.replace(`/download${search}`);
  // The registration form shows the agreement in a frame, without what stands around it.
  if (window.parent !== window) root.dataset.framed = '';

  // src/shared/i18n/language.ts goes by the same rule.
  const isLanguage = (text) => text === 'zh' || text === 'en';
  const stored = () => {
    try {
      return localStorage.getItem('language');
    } catch {
      return null;
    }
  };
  const cookie = () => /(?:^|; )language=(zh|en)(?:;|$)/.exec(document.cookie)?.[1] ?? null;
  const language = [new URLSearchParams(search).get('lang'), stored(), cookie()].find(isLanguage) ?? 'zh';
  // The page came in another language than was chosen: nothing of it is seen until the right texts are there (src/shared/entry.css).
  if (leaves || root.lang.slice(0, 2) !== language) {
    root.dataset.wait = '';
    // If they never come, it is still worth reading.
    setTimeout(() => delete root.dataset.wait, 8000);
  }

  // A click before hydration would be lost: the last one is repeated when clicks are handled (src/site/early-clicks.ts).
  let clicked = null;
  const keep = ({ target }) => (clicked = target.closest('button'));
  document.addEventListener('click', keep, true);
  document.addEventListener(
    'clicks-handled',
    () => {
      document.removeEventListener('click', keep, true);
      if (clicked?.isConnected) clicked.click();
    },
    { once: true },
  );
}
