/** False when rendering on the server. */
export const inBrowser = typeof document !== 'undefined';
