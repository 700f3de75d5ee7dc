/**
 * The browser gets its turn. React's own code, the router's, ours and the start of the page, run in one go, would keep a page that can be
 * read already from being scrolled for a fifth of a second on a slow phone.
 */
export const breath = (): Promise<void> => new Promise((go) => setTimeout(go));
