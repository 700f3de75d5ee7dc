// Applies the chosen theme before the first paint. A separate file, because the content security policy allows no inline scripts.
// src/shared/theme/theme-cookie.ts reads the same cookie.
{
  const chosen = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  if (chosen) document.documentElement.dataset.theme = chosen;
}
