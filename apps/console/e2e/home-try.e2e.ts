/** One sentence on the home page, without an account (docs/decisions/0051). */
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { logIn, newMember, overflowsOnPhone, waitForPage, waitForText } from './support/members.js';

withBrowser();

const SAYS = {
  zh: {
    title: '先试一句，再注册',
    field: '写一句要发给客户的话，或客户发来的话',
    source: '原文语言',
    target: '译文语言',
    translate: '翻译',
    example: '运到墨西哥要多少天？',
    empty: '先写一句，或点一个例句。',
    waiting: '译文和价格会显示在这里。',
    quality: /译文|逐词释义/,
    compare: '对照的通道',
    deepl: 'DeepL（沙箱）',
    chatgpt: 'ChatGPT（沙箱）',
    signIn: '登录后就能看到它的译文。',
    cost: '12 字符 · ¥0.00048',
    dearer: '29 字符 · ¥0.001152',
    unsupported: '这个通道不支持这个语言方向。',
    tooLong: '超出 1 字符。这里一次最多 200 字符，注册后可译更长的文本。',
    limit: '试用次数用完了，约 42 分钟后可以再试。注册后不受此限。',
    offline: '当前没有联网，连上网络后再试。',
    failed: '这个通道这次没有给出译文，可以再试一次。',
    signUp: '免费注册，看每个通道的译文',
    test: '翻译测试',
    memory: '了解术语表和翻译记忆',
    memoryTitle: '术语表与翻译记忆',
    hans: '简体中文',
    hant: '繁体中文',
  },
  en: {
    title: 'Try a sentence before you sign up',
    field: 'A sentence for a customer, or one from a customer',
    source: 'From',
    target: 'To',
    translate: 'Translate',
    example: 'How long does shipping to Mexico take?',
    empty: 'Write a sentence first, or pick an example.',
    waiting: 'The translation and its price appear here.',
    quality: /Translation|Word by word/,
    compare: 'Compare with',
    deepl: 'DeepL (sandbox)',
    chatgpt: 'ChatGPT (sandbox)',
    signIn: 'Sign in to see its translation.',
    cost: '12 characters · ¥0.00048',
    dearer: '29 characters · ¥0.001152',
    unsupported: 'This channel does not translate between these languages.',
    tooLong: '1 character too many. The limit here is 200; members can translate longer texts.',
    limit: 'No more tries for now. Try again in about 42 minutes. Members have no such limit.',
    offline: 'You are offline. Try again once you are connected.',
    failed: 'This channel gave no translation this time. You can try again.',
    signUp: 'Sign up free to see every channel',
    test: 'Translation test',
    memory: 'About the glossary and translation memory',
    memoryTitle: 'Glossary and translation memory',
    hans: 'Chinese (Simplified)',
    hant: 'Chinese (Traditional)',
  },
} as const;

type Words = (typeof SAYS)['zh' | 'en'];

/** Twelve characters. The conversion of the script is exact and needs no installed engine. */
const HANS = '这条连衣裙有红色现货吗？';
const HANT = '這條連衣裙有紅色現貨嗎？';

const section = (page: Page): Locator => page.locator('.home-try');
const field = (page: Page, say: Words): Locator => page.getByRole('textbox', { name: say.field });
const button = (page: Page, say: Words): Locator => section(page).getByRole('button', { name: say.translate });
const column = (page: Page, n: number): Locator => section(page).locator('.try-column').nth(n);

/** The section on screen with everything in it. */
async function openSection(page: Page, say: Words, lang: 'zh' | 'en'): Promise<void> {
  await page.goto(`/home?lang=${lang}`);
  await field(page, say).scrollIntoViewIfNeeded();
  await button(page, say).waitFor();
  // The languages of the offline engine have come.
  await section(page)
    .getByLabel(say.source, { exact: true })
    .locator('option[value=zh-Hant]')
    .waitFor({ state: 'attached' });
}

/** Simplified into Traditional Chinese. */
async function intoHant(page: Page, say: Words): Promise<void> {
  await section(page).getByLabel(say.source, { exact: true }).selectOption(say.hans);
  await section(page).getByLabel(say.target, { exact: true }).selectOption(say.hant);
}

/** Tabs until `target` has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('not reached by Tab');
}

/** Replaces the server's answer. */
async function answering(
  page: Page,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
  await page.route('**/translation/try', (route) => route.fulfill(answer));
}

describe.each(['zh', 'en'] as const)('a sentence on the home page (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey(
    'is translated by keyboard alone, priced at the channel of choice, and taken along by who signs in',
    async () => {
      const member = await newMember();
      const { page } = await newVisitor(lang);
      await openSection(page, say, lang);
      await intoHant(page, say);
      await page.getByRole('link').first().focus();
      await tabTo(page, field(page, say));
      await page.keyboard.type(HANS);
      await page.keyboard.press('Enter');
      await column(page, 0).getByText(HANT, { exact: true }).waitFor();
      await column(page, 0).getByText(say.cost).waitFor();
      expect(await section(page).getByRole('status').textContent()).toContain(HANT);
      expect(await field(page, say).inputValue()).toBe(HANS);

      const compare = section(page).getByLabel(say.compare);
      expect(await compare.evaluate((select: HTMLSelectElement) => select.value)).toBe('2');
      await column(page, 1).getByText(say.signIn).waitFor();
      await tabTo(page, compare);
      await page.keyboard.type('Chat');
      await column(page, 1).getByText(say.dearer).waitFor();
      expect(await compare.locator('option:checked').textContent()).toBe(say.chatgpt);
      await page.keyboard.press('ArrowUp');
      expect(await compare.locator('option:checked').textContent()).toBe(say.deepl);
      await column(page, 1).getByText(say.unsupported).waitFor();

      await tabTo(page, section(page).getByRole('link', { name: say.signUp }));
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('type') === '2');
      await page.goto('/login?type=1');
      await logIn(page, member, lang);
      await page.waitForURL('**/UserCenterChangeTranslateTest');
      await page.getByRole('heading', { level: 1, name: say.test }).waitFor();
      expect(await page.locator('.tt-kinds textarea').first().inputValue()).toBe(HANS);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: say.test }).waitFor();
      expect(await page.locator('.tt-kinds textarea').first().inputValue()).toBe('');
    },
  );

  inTurn('can be an example; fits on a phone, in both themes', async () => {
    const { page } = await newVisitor(lang);
    await page.setViewportSize({ width: 390, height: 844 });
    await openSection(page, say, lang);
    await column(page, 0).getByText(say.waiting).waitFor();
    const [asked] = await Promise.all([
      page.waitForRequest('**/translation/try'),
      section(page).getByRole('button', { name: say.example }).click(),
    ]);
    expect(asked.postDataJSON()).toMatchObject({ text: say.example, source: lang === 'zh' ? 'zh-Hans' : 'en' });
    await column(page, 0).locator('.badge').getByText(say.quality).waitFor();
    expect(await field(page, say).inputValue()).toBe(say.example);
    expect(await overflowsOnPhone(page)).toBe(false);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousViolations(page)).toEqual([]);
    }
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await button(page, say).isVisible()).toBe(true);
  });

  inTurn('loads its code when it comes near or is focused, and keeps what was typed before', async () => {
    const { page } = await newVisitor(lang);
    await page.setViewportSize({ width: 1280, height: 400 });
    const loaded: string[] = [];
    page.on(
      'request',
      (request) => /\/try-panel-|\/tranChannel\/pairs/.test(request.url()) && loaded.push(request.url()),
    );
    await page.goto(`/home?lang=${lang}`);
    await waitForPage(page);
    expect(await section(page).getByRole('heading', { name: say.title }).count()).toBe(1);
    expect(loaded).toEqual([]);
    expect(await section(page).getByRole('button').count()).toBe(0);
    await field(page, say).evaluate((element: HTMLTextAreaElement, text) => (element.value = text), HANS);
    await field(page, say).focus();
    await button(page, say).waitFor();
    expect(loaded.length).toBeGreaterThan(0);
    expect(await field(page, say).inputValue()).toBe(HANS);
    await section(page).getByText('12 / 200').waitFor();
    expect(await field(page, say).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  inTurn('is asked for, must not be too long, and says why there is no answer', async () => {
    const { context, page } = await newVisitor(lang);
    await openSection(page, say, lang);
    await button(page, say).click();
    await section(page).getByText(say.empty).waitFor();
    expect(await field(page, say).evaluate((element) => element === document.activeElement)).toBe(true);
    await field(page, say).fill('字'.repeat(201));
    await section(page).getByText(say.tooLong).waitFor();
    expect(await field(page, say).getAttribute('aria-invalid')).toBe('true');
    await field(page, say).fill(HANS);
    await intoHant(page, say);
    expect(await section(page).getByText(say.tooLong).count()).toBe(0);

    await answering(
      page,
      429,
      { success: false, data: null, code: 'TOO_MANY_REQUESTS', status: 429, msg: '…' },
      {
        'retry-after': '2500',
      },
    );
    await button(page, say).click();
    await section(page).getByRole('alert').getByText(say.limit).waitFor();
    await page.unroute('**/translation/try');

    await context.setOffline(true);
    await button(page, say).click();
    await section(page).getByRole('alert').getByText(say.offline).waitFor();
    await context.setOffline(false);

    const failed = { channelId: 1, name: '离线引擎', enName: 'Offline engine', state: 'failed', translated: null };
    const tried = { source: 'zh-Hans', target: 'zh-Hant' };
    const rest = { quality: null, warning: null, charNum: 12, microYuan: 480 };
    await answering(page, 200, {
      success: true,
      msg: '',
      status: 200,
      data: { ...tried, channels: [{ ...failed, ...rest }] },
    });
    await button(page, say).click();
    await column(page, 0).getByText(say.failed).waitFor();
    await page.unroute('**/translation/try');

    await button(page, say).click();
    await column(page, 0).getByText(HANT, { exact: true }).waitFor();
    expect(await section(page).getByRole('alert').count()).toBe(0);
    await field(page, say).fill(`${HANS}？`);
    await column(page, 0).getByText(say.waiting).waitFor();
  });

  inTurn('leads to what a member’s own channel remembers', async () => {
    const { page } = await newVisitor(lang);
    await openSection(page, say, lang);
    await section(page).getByRole('link', { name: say.memory }).click();
    await waitForText(page, say.memoryTitle);
  });
});
