import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { selectOption } from './support/controls.js';
import { getAs, postAs, uploadAs } from './support/api.js';
import { holdRequest, journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { renderPicture, makeRecording } from './support/media.js';
import { CHROMIUM } from './support/environment.js';
import { accountOf, payAtCashier, waitUntil } from './support/payment.js';
import {
  newMember,
  openPageAs,
  overflowsOnPhone,
  waitForPage,
  waitForText,
  type SignedIn,
  gotoAs,
} from './support/members.js';

const [OFFLINE, GOOGLE, STANDARD_MONTHLY] = [1, 2, 7];
const SENTENCE = '我们下周发货。';
const SECOND = '请把发票发到我的邮箱。';

const SAYS = {
  zh: {
    failed: '合计加载失败',
    again: '重试',
    totals: ['翻译 6 次', '−7 字符', '−1 次语音', '−1 张图片'],
    client: '客户端',
    web: '网页',
    windows: 'Windows',
    query: '查询',
    reset: '重置',
    none: '没有符合条件的记录',
    rows: [
      ['文本11 字符', '不扣包月套餐内', '按时长', '谷歌翻译'],
      ['文本2 字符', '不扣逐词释义', '按字符', '离线引擎'],
      ['图片', '−1 张图片', '按张', '谷歌翻译'],
      ['语音', '−1 次语音', '按次', '谷歌翻译'],
      ['文本7 字符', '不扣翻译记忆', '按字符', '谷歌翻译'],
      ['文本7 字符', '−7 字符', '按字符', '谷歌翻译'],
    ],
  },
  en: {
    failed: 'The totals couldn’t be loaded',
    again: 'Try again',
    totals: ['6 translations', '−7 characters', '−1 voice use', '−1 image'],
    client: 'Client',
    web: 'Web',
    windows: 'Windows',
    query: 'Search',
    reset: 'Reset',
    none: 'No entries match',
    rows: [
      ['Text11 characters', 'FreeIncluded in the monthly package', 'Per period', 'Google'],
      ['Text2 characters', 'FreeWord gloss', 'Per character', 'Offline engine'],
      ['Image', '−1 image', 'Per image', 'Google'],
      ['Voice', '−1 voice use', 'Per use', 'Google'],
      ['Text7 characters', 'FreeTranslation memory', 'Per character', 'Google'],
      ['Text7 characters', '−7 characters', 'Per character', 'Google'],
    ],
  },
} as const;

withBrowser();

const translate = (member: SignedIn, text: string, channelId = GOOGLE) =>
  postAs(member, '/translation/text', { source: 'zh', target: 'en', text, channelId });

/** One translation of each kind, the oldest first; the last one after a monthly package was bought. */
async function translateAll(member: SignedIn): Promise<void> {
  await postAs(member, '/memberGroup/changeChannel', { targetChannelId: GOOGLE });
  await postAs(member, '/user/changeTranslationCache', { translationCache: 1 });
  await translate(member, SENTENCE);
  await translate(member, SENTENCE);
  const languages = { source: 'en', target: 'zh' };
  await uploadAs(member, '/translation/voice', { ...languages, transcript: 'Where is my parcel?' }, makeRecording(3));
  const { page } = await newVisitor();
  await uploadAs(member, '/translation/image', languages, await renderPicture(page, ['Keep away from fire']));
  await page.context().close();
  await translate(member, '苹果', OFFLINE);
  const order = { memberGroupId: STANDARD_MONTHLY, salesNum: 1, payChannel: 'WC_NATIVE' };
  const { orderNo } = await postAs<{ orderNo: string }>(member, '/orderByMemberGroup/pay', order);
  await payAtCashier(orderNo);
  await waitUntil(async () => (await accountOf(member)).memberGroup.translationBillingMode === 'time');
  await translate(member, SECOND);
}

/** What the rows say of their content, cost, billing and channel. */
const shown = (page: Page): Promise<string[][]> =>
  page
    .locator('.ant-table-row')
    .evaluateAll((rows) => rows.map((row) => [3, 4, 5, 6].map((n) => row.children.item(n)?.textContent ?? '')));

describe.each(['zh', 'en'] as const)('the translation log (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    if (!CHROMIUM) return;
    member = await newMember();
    await translateAll(member);
  });

  journey('names the kind of each translation, what it took in its unit, and why it took nothing', async () => {
    const { rows } = await getAs<{ rows: { kind: string; free: string | null; charged: number }[] }>(
      member,
      '/translationLog/page',
    );
    expect(rows.map(({ kind, free, charged }) => [kind, free, charged])).toEqual([
      ['text', 'time', 0],
      ['text', 'gloss', 0],
      ['image', null, 1],
      ['voice', null, 1],
      ['text', 'memory', 0],
      ['text', null, 7],
    ]);
    const page = await gotoAs('/UserCenterChangeTranslateLog', member, lang);
    await page.locator('.ant-table-row').first().waitFor();
    const expected = say.rows.map(([content, charged, billing, channel]) => [
      content,
      charged,
      billing,
      expect.stringMatching(`^${channel}`),
    ]);
    expect(await shown(page)).toEqual(expected);
    const totals = page.locator('.lg-totals');
    await totals.locator('summary').click();
    expect(await totals.locator('summary span').allTextContents()).toEqual([...say.totals]);
    expect(await totals.locator('dt:visible').count()).toBe(2); // Google and the offline engine

    await selectOption(page, say.client, say.windows);
    await page.getByRole('button', { name: say.query, exact: true }).click();
    await waitForText(page, say.none);
    await page.locator('.empty-state').getByRole('button', { name: say.reset }).click();
    await page.locator('.ant-table-row').first().waitFor();
    await selectOption(page, say.client, say.web);
    await page.getByRole('button', { name: say.query, exact: true }).click();
    await page.waitForURL(/client=/);
    await page.locator('.lt-card[aria-busy=false] .ant-table-row').first().waitFor();
    expect(await shown(page)).toEqual(expected);
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('keeps its rows in their place when the totals arrive', async () => {
    const page = await openPageAs(member, lang);
    const totals = await holdRequest(page, '**/translationLog/totals?*');
    await page.goto('/UserCenterChangeTranslateLog');
    const first = page.locator('.ant-table-row').first();
    await first.waitFor();
    await totals.sent;
    await waitForPage(page);
    const before = await first.boundingBox();
    totals.release();
    await page.locator('.lg-totals summary').waitFor();
    expect(await first.boundingBox()).toEqual(before);
  });

  inTurn('says that the totals could not be loaded, in their place, and loads them again', async () => {
    const page = await openPageAs(member, lang);
    await page.route('**/translationLog/totals?*', (route) => route.abort());
    await page.goto('/UserCenterChangeTranslateLog');
    const totals = page.locator('.lg-totals');
    await totals.getByText(say.failed).waitFor();
    await waitForPage(page);
    const first = page.locator('.ant-table-row').first();
    const before = await first.boundingBox();
    await page.unroute('**/translationLog/totals?*');
    await totals.getByRole('button', { name: say.again, exact: true }).click();
    await totals.locator('summary').waitFor();
    expect(await first.boundingBox()).toEqual(before);
  });

  inTurn('reads the totals of new translations, at most every ten seconds', async () => {
    const own = await newMember();
    await postAs(own, '/memberGroup/changeChannel', { targetChannelId: GOOGLE });
    await translate(own, SENTENCE);
    const page = await gotoAs('/UserCenterChangeTranslateLog', own, lang);
    const count = page.locator('.lg-totals summary span').first();
    await count.waitFor();
    const begun = Date.now();
    let reads = 0;
    page.on('request', (request) => (reads += request.url().includes('/translationLog/totals') ? 1 : 0));
    for (let n = 2; n <= 4; n++) {
      await translate(own, `${n} ${SECOND}`);
      await page
        .locator('.ant-table-row')
        .nth(n - 1)
        .waitFor();
    }
    await count.getByText(/4/).waitFor();
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThanOrEqual(Math.floor((Date.now() - begun) / 10_000) + 1);
  });
});
