import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { choose } from './support/choose.js';
import { journey, withBrowser } from './support/journey.js';
import { newMember, overflowsPhone, seen, type SignedIn, signedInAt } from './support/signed-in.js';

const SAYS = {
  zh: {
    type: '日志类型',
    invite: '邀请奖励',
    other: '其他',
    query: '查询',
    reset: '重置',
    none: '没有符合条件的记录',
    web: '网页',
  },
  en: {
    type: 'Type',
    invite: 'Invite reward',
    other: 'Other',
    query: 'Search',
    reset: 'Reset',
    none: 'No entries match',
    web: 'Web',
  },
} as const;

withBrowser();
let member: SignedIn;
beforeAll(async () => {
  member = await newMember();
});

const rows = (page: Page) => page.locator('.ant-table-row');

describe.each(['zh', 'en'] as const)('logs (%s)', (lang) => {
  const say = SAYS[lang];

  journey('filters the account log, keeps the filter over a reload, and resets', async () => {
    const page = await signedInAt('/UserCenterAccountLog', member, lang);
    await rows(page).first().waitFor();
    expect(await rows(page).first().textContent()).toContain(say.other);

    await choose(page, say.type, say.invite);
    await page.getByRole('button', { name: say.query, exact: true }).click();
    await page.waitForURL(/INVITE_REWARD/);
    await seen(page, say.none);
    expect(decodeURIComponent(page.url())).toContain('INVITE_REWARD');

    await page.reload();
    await seen(page, say.none);
    expect(await page.locator('.ant-select-selection-item').first().textContent()).toBe(say.invite);

    await page.locator('.em').getByRole('button', { name: say.reset }).click();
    await rows(page).first().waitFor();
    expect(page.url()).not.toContain('INVITE_REWARD');
  });

  journey('shows the login that has just happened, with its client', async () => {
    const page = await signedInAt('/UserCenterLoginLog', member, lang);
    await rows(page).first().waitFor();
    const text = (await rows(page).first().textContent()) ?? '';
    expect(text).toContain(say.web);
    expect(text).toMatch(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/);
  });

  journey.each(['/UserCenterAccountLog', '/UserCenterLoginLog', '/UserCenterChangeTranslateLog'])(
    '%s does not scroll sideways on a phone',
    async (path) => {
      const page = await signedInAt(path, member, lang);
      await page.locator('.lt-card .ant-table-row, .lt-card .em').first().waitFor();
      expect(await overflowsPhone(page)).toBe(false);
    },
  );
});
