/** False where a server draws the page: what belongs to a browser is not there then. */
export const inBrowser = typeof document !== 'undefined';
