// Runs before the first paint. A separate file, because the content security policy allows no inline scripts.
{
  const root = document.documentElement;
  const { pathname, search, hash } = location;
  // An old address of the download page (decisions §6): the hash never reaches the server.
  const leaves = hash === '#/download' && pathname !== '/download';
  if (leaves) location.replace(`/download${search}`);
  // The registration form shows the agreement in a frame, without header and footer.
  if (window.parent !== window) root.dataset.framed = '';

  // src/shared/i18n/language.ts applies the same rule.
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
  // The page was rendered in another language than the chosen one: hide it until it is rendered again (src/shared/entry.css).
  if (leaves || root.lang.slice(0, 2) !== language) {
    root.dataset.wait = '';
    // If that never happens, show the page as it is.
    setTimeout(() => delete root.dataset.wait, 8000);
  }

  // Until hydration, links do not carry the visitor's invite code (src/site/shared/invite.ts applies the same rule).
  const code = new URLSearchParams(search).get('inviteCode');
  const invite = (link) => {
    if (link?.origin !== location.origin || !/^[A-Za-z0-9]{4,16}$/.test(code ?? '')) return;
    const query = new URLSearchParams(link.search);
    // A link to a part of this page has it already.
    if (query.has('inviteCode')) return;
    query.set('inviteCode', code);
    link.search = query;
  };

  // A click before hydration would be lost: the last one is repeated after hydration (src/site/site.tsx).
  let clicked = null;
  const keep = (event) => {
    clicked = event;
    invite(event.target.closest('a[href]'));
  };
  document.addEventListener('click', keep, true);
  document.addEventListener(
    'drawn',
    () => {
      document.removeEventListener('click', keep, true);
      // React hydrates at once for a click that is on its way, and hears it.
      if (clicked?.eventPhase) clicked = null;
    },
    { once: true },
  );
  document.addEventListener(
    'hydrated',
    () => {
      const control = clicked?.target.closest('button, input[type=radio]');
      if (!control?.isConnected) return;
      // React keeps the choice, unheard.
      if (control.type === 'radio') control.checked = false;
      control.click();
    },
    { once: true },
  );
}
