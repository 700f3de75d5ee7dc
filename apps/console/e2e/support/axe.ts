/** Accessibility as axe-core sees it. What is checked is the page as it stands: open what shall be looked at, then ask. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { AxeResults, RunOptions } from 'axe-core';
import { settled } from './signed-in.js';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  interface Window {
    axe: { run: (context: Document, options: RunOptions) => Promise<AxeResults> };
  }
}

/** What stands in a member's way: minor and moderate findings are opinions on style, as often as not. */
const GRAVE = ['serious', 'critical'];

/** "rule at selector: why", one line for each place with something serious or critical. */
export async function graveFindings(page: Page): Promise<string[]> {
  await settled(page);
  // Not as a script of the page: the content security policy would rightly refuse it.
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact && GRAVE.includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
}
