import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { demoMain, newChild, postAs, removeChildren, signIn } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { pickScripts } from './support/controls.js';
import { newMember, waitForNoDialog, overflowsOnPhone, waitForText, gotoAs, type SignedIn } from './support/members.js';

const SENTENCE = '头发很长，发现皇后在后面。';
const TRANSLATED = '頭髮很長，發現皇后在後面。';
const CHARS = [...SENTENCE].length;

const SAYS = {
  zh: {
    card: '翻译记忆',
    saved: '近 30 天省下',
    savedChars: `${CHARS}字符`,
    kept: '现已记住',
    keptTexts: '1条译文',
    forget: '全部清除',
    asks: '清除记住的译文？',
    verb: '清除',
    forgotten: '已清除 1 条译文',
    text: '原文',
    remembered: '记住的译文',
    free: /未扣字符/,
    again: '重新翻译',
    charged: new RegExp(`扣 ${CHARS} 字符`),
    log: '在翻译日志中查看',
  },
  en: {
    card: 'Translation memory',
    saved: 'Saved in 30 days',
    savedChars: `${CHARS}chars`,
    kept: 'Remembered now',
    keptTexts: '1text',
    forget: 'Clear all',
    asks: 'Clear remembered translations?',
    verb: 'Clear',
    forgotten: '1 translation cleared',
    text: 'Source text',
    remembered: 'From memory',
    free: /nothing charged/,
    again: 'Translate again',
    charged: new RegExp(`charged ${CHARS}`),
    log: 'See it in the translation log',
  },
} as const;

withBrowser();

const remember = (member: SignedIn) => postAs(member, '/user/changeTranslationCache', { translationCache: 1 });
const translate = (member: SignedIn) =>
  postAs<{ charged: number; cached?: true }>(member, '/translation/text', {
    source: 'zh-Hans',
    target: 'zh-Hant',
    text: SENTENCE,
  });
const answered = (page: Page, path: string) =>
  page.waitForResponse((response) => response.url().endsWith(`/client-user${path}`) && response.ok());

describe.each(['zh', 'en'] as const)('the translation memory (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('is off by default, shows its savings, and can be deleted', async () => {
    const member = await newMember();
    const page = await gotoAs('/UserCenterIndex', member, lang);
    const card = page.getByRole('region', { name: say.card });
    const toggle = card.getByRole('switch', { name: say.card });
    await toggle.waitFor();
    expect(await toggle.getAttribute('aria-checked')).toBe('false');
    expect(await card.getByText(say.saved).count()).toBe(0);

    const changed = answered(page, '/user/get');
    await toggle.click();
    await changed;
    await card.locator('[role=switch][aria-checked=true]').waitFor();
    await card.getByText(say.saved).waitFor();
    expect(await card.getByRole('button', { name: say.forget }).count()).toBe(0);

    expect(await translate(member)).toMatchObject({ charged: CHARS });
    expect(await translate(member)).toMatchObject({ charged: 0, cached: true });
    await page.reload();
    const figure = (label: string) => card.locator('dl > div').filter({ hasText: label }).locator('dd');
    await card.getByRole('button', { name: say.forget }).waitFor();
    expect(await figure(say.saved).textContent()).toBe(say.savedChars);
    expect(await figure(say.kept).textContent()).toBe(say.keptTexts);
    expect(await toggle.getAttribute('aria-checked')).toBe('true');

    await card.getByRole('button', { name: say.forget }).click();
    const dialog = page.getByRole('dialog', { name: say.asks });
    await dialog.getByRole('button', { name: say.verb, exact: true }).click();
    await waitForText(page, say.forgotten);
    await waitForNoDialog(page);
    await card.getByRole('button', { name: say.forget }).waitFor({ state: 'detached' });
    expect(await figure(say.saved).textContent()).toBe(say.savedChars);
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('returns a stored translation for free, says so, and translates again at the normal price', async () => {
    const member = await newMember();
    await remember(member);
    await translate(member);
    const page = await gotoAs('/UserCenterChangeTranslateTest', member, lang);
    await pickScripts(page, lang);
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);
    await page.keyboard.press('Control+Enter');
    const pane = page.locator('.tt-target');
    await pane.getByText(say.remembered).waitFor();
    expect(await pane.getByTestId('translated').textContent()).toBe(TRANSLATED);
    await pane.getByText(say.free).waitFor();
    await pane.getByRole('link', { name: say.log }).waitFor();

    await pane.getByRole('button', { name: say.again }).click();
    await pane.getByText(say.charged).waitFor();
    expect(await pane.getByTestId('translated').textContent()).toBe(TRANSLATED);
    expect(await pane.getByText(say.remembered).count()).toBe(0);
    expect(await pane.getByRole('button', { name: say.again }).count()).toBe(0);
  });
});

describe('the memory of a family', () => {
  journey('is each member’s own choice: a sub-account turns it on itself and forgets only its own part', async () => {
    const main = await demoMain();
    const { account, password, userId } = await newChild(main);
    try {
      const sub = await signIn(account, password);
      await postAs(main, '/user/distribution', { childUserId: userId, changeCharNum: 100 });
      await remember(sub);
      await translate(sub);
      const page = await gotoAs('/UserCenterIndex', sub, 'zh');
      const card = page.getByRole('region', { name: SAYS.zh.card });
      await card.locator('[role=switch][aria-checked=true]').waitFor();
      await card.getByRole('button', { name: '清除由我翻译的' }).click();
      await page.getByRole('dialog').getByText('由你翻译的内容会从翻译记忆中删除').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: SAYS.zh.verb, exact: true }).click();
      await waitForText(page, SAYS.zh.forgotten);
    } finally {
      await removeChildren(main, [account]);
    }
  });
});
