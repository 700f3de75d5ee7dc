/** Accessibility checks with axe-core, on the page as it is when they are called. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { AxeResults, RunOptions } from 'axe-core';
import { waitForPage } from './members.js';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  interface Window {
    axe: { run: (context: Document, options: RunOptions) => Promise<AxeResults> };
  }
}

/** Violations that block users; minor and moderate ones are often a matter of style. */
const GRAVE = ['serious', 'critical'];

/** "rule at selector: why", one line per element with a serious or critical violation. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await waitForPage(page);
  // Style sheets follow a new colour scheme at once; scripts, and so antd, are told of it in the next frame.
  await page.evaluate(() => new Promise((frame) => requestAnimationFrame(frame)));
  // Not as a script tag, which the content security policy would refuse.
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact && GRAVE.includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
}
