/**
 * Whether a path is the console's, in whatever letters: neither router tells them apart. Its pages are documents of another kind than
 * those for anybody (docs/decisions/0027): the server and the browser must draw the line at the same place. The way out is for anybody.
 */
export const isConsoleAddress = (pathname: string): boolean =>
  /^\/user(?!centerexit\/?$)(center|workspace)/i.test(pathname);
