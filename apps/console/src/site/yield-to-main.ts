/**
 * Lets the browser handle input and paint. React's own code, ours and the start of the page, run in one go, would keep a page that can be
 * read already from being scrolled for a fifth of a second on a slow phone.
 */
export const yieldToMain = (): Promise<void> => new Promise((go) => setTimeout(go));
