import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { selectOption } from './support/controls.js';
import { journey, withBrowser } from './support/browser.js';
import { goWithin, waitForNoDialog, openPageAs } from './support/members.js';
import { SAYS } from './support/sub-account-messages.js';
import { button, withFamily } from './support/families.js';

withBrowser();
const family = withFamily(); // whose rows stay where they are

/** Looks at every frame from now on, on every page, for whatever moves longer than the eye can see. */
async function watchMotion(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const moving = new Set<string>();
    const look = (): void => {
      for (const { effect } of document.getAnimations()) {
        const { target, pseudoElement } = effect as KeyframeEffect;
        if (Number(effect?.getComputedTiming().endTime) > 20)
          moving.add(`${target?.tagName} ${target?.getAttribute('class')} ${pseudoElement ?? ''}`);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(window, { moving });
  });
  return () => page.evaluate(() => [...(window as unknown as { moving: Set<string> }).moving]);
}

/** Opens and closes one of each: drawer, dialog, tooltip, selection, range of days, menu. */
async function openEverything(page: Page): Promise<string[]> {
  const say = SAYS.zh;
  const moved = await watchMotion(page);
  await page.goto('/UserCenterChild');
  const row = page.locator('.ant-table-row').first();
  await row.waitFor();
  await button(page, say.add).click();
  await page.getByRole('dialog').getByLabel(say.account, { exact: true }).waitFor();
  await button(page, say.cancel).click();
  await waitForNoDialog(page);
  await row.getByRole('button', { name: say.share }).click();
  await page.getByRole('dialog').getByRole('tab', { name: say.voice }).click();
  await page.keyboard.press('Escape');
  await waitForNoDialog(page);
  await button(page, say.batch).click();
  await page.getByRole('status').getByText(say.noneSelected).waitFor(); // a message
  const first = await moved();

  await goWithin(page, '/UserCenterAccountLog');
  await selectOption(page, '日志类型', '其他');
  await page.locator('.lg-range button, .lg-range .ant-picker').first().click();
  await page.locator('.ant-picker-dropdown:visible').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '语言' }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).waitFor();
  return [...first, ...(await moved())];
}

describe('motion', () => {
  journey('nothing moves with reduced motion', async () => {
    expect(await openEverything(await openPageAs(family.main, 'zh'))).toEqual([]);
  });

  journey('animates otherwise', async () => {
    const page = await openPageAs(family.main, 'zh');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const moved = (await openEverything(page)).join('\n');
    for (const part of ['ant-drawer', 'ant-modal', 'ant-select-dropdown']) expect(moved).toContain(part);
  });

  journey('moves elements at once with reduced motion', async () => {
    const page = await openPageAs(family.main, 'zh');
    await page.goto('/home');
    // What lists that open do: they are measured right after they were moved (a transition, however short, has not begun by then).
    const left = await page.evaluate(() => {
      const list = document.body.appendChild(document.createElement('div'));
      list.style.cssText = 'position: fixed; left: -1000px';
      const before = list.getBoundingClientRect().left;
      list.style.left = '0px';
      return [before, list.getBoundingClientRect().left];
    });
    expect(left).toEqual([-1000, 0]);
  });
});
