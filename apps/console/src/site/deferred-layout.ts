/** The parts of a page that site.css leaves for later on phones. */
const LATER = '#main > section:nth-of-type(n + 2), .ft';

const whenIdle = (act: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: 1_000 });
  else setTimeout(act, 100);
};

/** Once the page works, what lies below the first screen is laid out, too: one part after the other, whenever the browser has nothing to do. */
export function layOutRest(): void {
  const parts = [...document.querySelectorAll<HTMLElement>(LATER)];
  const next = (): void => {
    const part = parts.shift();
    if (part) part.dataset['whole'] = '';
    // Whatever page comes now, comes whole.
    else document.documentElement.dataset['whole'] = '';
    if (part) whenIdle(next);
  };
  whenIdle(next);
}
