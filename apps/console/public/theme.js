// Before the first pixel: whoever has chosen light or dark must not see the other one first. A file of its own, because the content
// security policy lets no script stand in the page. src/shared/theme/theme-cookie.ts reads the same cookie.
{
  const chosen = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  if (chosen) document.documentElement.dataset.theme = chosen;
}
