/**
 * Whether a path belongs to the console; case-insensitive, as both routers are. Its pages are different documents from the public ones
 * (docs/decisions/0027), so server and browser must agree on the distinction. The exit page is public.
 */
export const isConsoleAddress = (pathname: string): boolean =>
  /^\/user(?!centerexit\/?$)(center|workspace)/i.test(pathname);
