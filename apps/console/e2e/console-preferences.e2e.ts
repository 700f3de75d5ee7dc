/** The console in forced colours, with more contrast, by keyboard, and between a phone and a large screen. */
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { demoMain } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { BASE_URL } from './support/environment.js';
import { goWithin, gotoAs, waitForPage } from './support/members.js';

withBrowser();

const SAYS = {
  zh: { rename: '修改昵称', ok: '确定', add: '新增子账号', list: '子账号列表' },
  en: { rename: 'Change nickname', ok: 'OK', add: 'Add sub-account', list: 'Sub-accounts' },
} as const;

const styleOf = (place: Locator, property: string, pseudo?: string): Promise<string> =>
  place
    .first()
    .evaluate(
      (element, [name, part]) => getComputedStyle(element, part).getPropertyValue(name ?? ''),
      [property, pseudo],
    );

/** The colour of a token in the page's theme. */
const colourOf = (page: Page, token: string): Promise<string> =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, token);

/** The contrast of two colours, `rgb(1, 2, 3)` each. */
function contrastOf(...colours: [string, string]): number {
  const [high = 0, low = 0] = colours
    .map((colour) => {
      const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const value = Number(part) / 255;
        return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    })
    .sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

describe.each(['zh', 'en'] as const)('the console (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('shows switches, meters and the open tab in forced colours', async () => {
    const page = await gotoAs('/UserCenterIndex', await demoMain(), lang);
    await page.emulateMedia({ forcedColors: 'active' });
    await waitForPage(page);
    const ground = await styleOf(page.locator('body'), 'background-color');
    const shownOn = async (path: string, selector: string, property: string, pseudo?: string) => {
      await goWithin(page, path);
      await waitForPage(page);
      return styleOf(page.locator(selector), property, pseudo);
    };
    expect(await styleOf(page.locator('.ov-bar i'), 'background-color')).not.toBe(ground);
    expect(await styleOf(page.locator('.side-menu [aria-current]'), 'outline-style')).toBe('solid');
    expect(await shownOn('/UserCenterChild', '.ant-switch', 'outline-style')).toBe('solid');
    const handle = page.locator('.ant-switch-checked .ant-switch-handle');
    expect(await styleOf(handle, 'background-color', '::before')).not.toBe(
      await styleOf(page.locator('.ant-switch-checked'), 'background-color'),
    );
    expect(await seriousViolations(page)).toEqual([]);
    const indicator = await shownOn('/UserCenterChangeTranslateTest', '.ant-tabs-ink-bar', 'background-color');
    expect(indicator).not.toBe(ground);
  });

  inTurn('has stronger borders and texts with more contrast', async () => {
    const page = await gotoAs('/UserCenterChild', await demoMain(), lang);
    await waitForPage(page);
    const switchToMore = () => page.emulateMedia({ contrast: 'more' });
    const note = page.locator('.page-header-note');
    const header = page.locator('.lt-table thead th').last();
    const before = [await styleOf(note, 'color'), await styleOf(header, 'color')];
    await switchToMore();
    const ink = await colourOf(page, '--c-text');
    expect(before).not.toContain(ink);
    expect(await styleOf(note, 'color')).toBe(ink);
    await page.waitForFunction(
      (colour) => getComputedStyle(document.querySelector('.lt-table thead th:last-child') as Element).color === colour,
      ink,
    );
  });

  journey.each(['light', 'dark'] as const)(
    'rings the focus in dialogs and borders boxes visibly (%s)',
    async (theme) => {
      const page = await gotoAs('/UserCenterIndex', await demoMain(), lang);
      await page.context().addCookies([{ name: 'theme', value: theme, url: BASE_URL }]);
      await page.reload();
      await waitForPage(page);
      await page.getByRole('main').getByRole('button', { name: say.rename, exact: true }).first().press('Enter');
      const ok = page.getByRole('dialog').getByRole('button').last();
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      await page.getByRole('dialog').getByRole('textbox').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      expect(await styleOf(ok, 'outline-color')).toBe(await colourOf(page, '--c-focus'));
      const { y = 0, height = 0 } = (await page.locator('.ant-modal-content').boundingBox()) ?? {};
      expect(Math.abs(y + height / 2 - 450)).toBeLessThan(2); // dialogs are centered
      await page.goto('/UserCenterIndex?channel=change');
      const radio = page.getByRole('dialog').locator('.ant-radio-inner').first();
      await radio.waitFor({ state: 'attached' });
      const raised = await colourOf(page, '--c-raised');
      expect(contrastOf(await styleOf(radio, 'border-top-color'), raised)).toBeGreaterThanOrEqual(3);
      await page.keyboard.press('Escape');
      await goWithin(page, '/UserCenterChild');
      await waitForPage(page);
      const box = page.locator('.lt-table tbody .ant-checkbox-inner').first();
      const surface = await colourOf(page, '--c-surface');
      expect(contrastOf(await styleOf(box, 'border-top-color'), surface)).toBeGreaterThanOrEqual(3);
    },
  );

  inTurn('fits the columns of lists beside the menu, or shows that there are more', async () => {
    const page = await gotoAs('/UserCenterChild', await demoMain(), lang);
    for (const width of [1440, 1280, 1180, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await waitForPage(page);
      const enabled = (await page.locator('.sa-table tbody .ant-switch').first().boundingBox()) ?? {
        x: 9999,
        width: 0,
      };
      const actions = await page.locator('.sa-table tbody .sa-operate').first().boundingBox();
      expect(enabled.x + enabled.width).toBeLessThanOrEqual(actions?.x ?? 0);
    }
    for (const path of ['/UserCenterOrder', '/UserCenterAccountLog', '/UserCenterChangeTranslateLog']) {
      await goWithin(page, path);
      for (const width of [1440, 1280, 1024]) {
        await page.setViewportSize({ width, height: 900 });
        await waitForPage(page);
        // The mark follows the new size one frame later.
        const result = await page.waitForFunction(() => {
          const frame = document.querySelector('.lt-frame');
          const area = frame?.querySelector('.lt-area');
          if (!frame || !area) return null;
          const isCut = area.scrollWidth > area.clientWidth + 1;
          return isCut === frame.hasAttribute('data-more-right') ? { isCut } : null;
        });
        const cut = (await result.jsonValue())?.isCut;
        if (width >= 1280) expect([path, width, cut]).toEqual([path, width, false]);
      }
    }
  });

  inTurn('keeps "Pay now" on the screen beside the order', async () => {
    const page = await gotoAs('/UserCenterRecharge', await demoMain(), lang);
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.locator('.rc-methods label').first().waitFor();
      const button = await page.locator('.rc-pay button').boundingBox();
      expect((button?.y ?? height) + (button?.height ?? 0)).toBeLessThanOrEqual(height);
    }
  });
});
