/** What the content security policy refuses in a browser journey: the policy and the pages must agree, so there is nothing. */
import type { BrowserContext } from 'playwright-core';

declare global {
  interface Window {
    tellRefused?: (line: string) => void;
  }
}

/** In every document, frames and the tabs that pages open included, from before its first byte. */
function listen(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, sample }) =>
    window.tellRefused?.([location.pathname, violatedDirective, blockedURI, sourceFile, sample].join(' · ')),
  );
}

/** Listens to all pages of a person, from before the first one. `refused` is called with a line for each refusal. */
export async function watchPolicy(person: BrowserContext, refused: (line: string) => void): Promise<void> {
  await person.exposeBinding('tellRefused', (_, line: string) => refused(line));
  await person.addInitScript(listen);
}
