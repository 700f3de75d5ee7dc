import { afterEach, describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { ownQuota, postAs, signIn } from './support/api.js';
import { journey, journeysInTurn, withBrowser, type Language } from './support/browser.js';
import { createOrder } from './support/orders.js';
import { CHROMIUM } from './support/environment.js';
import { accountOf, entriesOf, payAtCashier, waitUntil } from './support/payment.js';
import { newMember, waitForNoDialog, overflowsOnPhone, waitForText, type SignedIn, gotoAs } from './support/members.js';
import { pickLanguage } from './support/controls.js';
import { breakVendor, restoreVendor, takeVendor } from './support/vendors.js';

const SENTENCE = '您好，软件已经寄出了。';
const CHARS = [...SENTENCE].length; // 11
// Micro-yuan a character: 40 through the own channel, Google and Tencent, 80 through DeepL, 96 through ChatGPT; each is rounded up by itself.
const COSTS = { google: CHARS, tencent: CHARS, deepl: CHARS * 2 };
const gpt = (chars: number): number => Math.ceil((chars * 96) / 40);
const TOGETHER = COSTS.google + COSTS.tencent + COSTS.deepl;
const TRIAL = 5_000;
const DEEPL_ID = 6;

const SAYS = {
  zh: {
    text: '原文',
    source: '原文语言',
    target: '译文语言',
    english: { typed: 'English', code: 'en' }, // either language finds it
    own: /^离线引擎/,
    google: '谷歌翻译（沙箱）',
    tencent: '腾讯翻译（沙箱）',
    deepl: 'DeepL（沙箱）',
    chatgpt: 'ChatGPT（沙箱）',
    pick: '更换或对比',
    close: '收起',
    full: '最多选 3 个通道',
    together: `预计共扣 ${TOGETHER} 字符`,
    charged: (n: number) => `扣 ${n} 字符`,
    chargedTogether: `合计扣 ${TOGETHER} 字符`,
    left: (n: string) => `剩余 ${n} 字符`,
    refused: '翻译通道返回错误，本次未扣费。请稍后重试，或更换翻译通道。',
    retry: '重试',
    unwanted: '这段文本未通过该通道的内容审核',
    edit: '修改原文',
    onlyThis: '只用这个通道翻译',
    served: '代译',
    copy: '复制译文',
    copied: '复制成功',
    history: '本次测试记录',
    change: '更换',
    dialog: '更换翻译通道',
    confirm: '确认更换',
    changed: '翻译通道更换成功，现用通道：DeepL（沙箱）',
    chars: (n: string) => `${n} 字符`,
    failover: '故障时改用其他通道',
    on: '已开启',
    detected: '检测到 简体中文',
    cancel: '取消',
    see: '查看通道',
    send: '翻译',
    blank: '没有可翻译的内容',
    offline: '当前处于离线状态，联网后再发送。原文已保留。',
    notIncluded: '包月不含',
    notIncludedWhy: '单价高于你的通道，包月不含',
    free: '包月期内不扣字符',
    panel: '通道状况',
    mains: '子账号只使用主账号的通道',
    subNote: '与会话使用同一通道，按实际字符扣减。',
  },
  en: {
    text: 'Source text',
    source: 'Source language',
    target: 'Target language',
    english: { typed: '英语', code: 'en' },
    own: /^Offline engine/,
    google: 'Google (sandbox)',
    tencent: 'Tencent (sandbox)',
    deepl: 'DeepL (sandbox)',
    chatgpt: 'ChatGPT (sandbox)',
    pick: 'Change or compare',
    close: 'Close',
    full: 'Up to 3 channels',
    together: `Costs ${TOGETHER} in total`,
    charged: (n: number) => `charged ${n}`,
    chargedTogether: `Charged ${TOGETHER} in total`,
    left: (n: string) => `${n} left`,
    refused: 'The translation channel failed. You were not charged. Try again later, or choose another channel.',
    retry: 'Try again',
    unwanted: 'This channel’s content policy rejected the text.',
    edit: 'Edit the text',
    onlyThis: 'Translate with this one only',
    served: 'Served by',
    copy: 'Copy translation',
    copied: 'Copied',
    history: 'This session',
    change: 'Change',
    dialog: 'Change translation channel',
    confirm: 'Change channel',
    changed: 'Channel changed. You now use DeepL (sandbox).',
    chars: (n: string) => `${n} chars`,
    failover: 'Use another channel when mine fails',
    on: 'On:',
    detected: 'Detected: Chinese (Simplified)',
    cancel: 'Cancel',
    see: 'See channels',
    send: 'Translate',
    blank: 'Nothing to translate',
    offline: 'You are offline. Send again when the network is back; your text stays here.',
    notIncluded: 'Not included',
    notIncludedWhy: 'Costs more than your channel, so not in your monthly package',
    free: 'Free in your current period',
    panel: 'Channels',
    subNote: 'The channel your chats use, charged by the characters you send.',
    mains: 'A sub-account uses its main account’s channel',
  },
} as const;

withBrowser();
/** Lets other journeys use ChatGPT. */
let giveBack = (): Promise<void> => Promise.resolve();
afterEach(async () => {
  if (CHROMIUM) await Promise.all(['deepl', 'chatgpt'].map(restoreVendor));
  await giveBack();
});

const grouped = (n: number): string => n.toLocaleString('en-US');
const open = async (member: SignedIn, lang: Language): Promise<Page> => {
  const page = await gotoAs('/UserCenterChangeTranslateTest', member, lang);
  await page.getByLabel(SAYS[lang].text, { exact: true }).waitFor();
  await pickLanguage(page, SAYS[lang].source, { typed: 'zh-Hans', code: 'zh-Hans' });
  return page;
};
const pane = (page: Page, channel: string | RegExp): Locator => page.getByRole('group', { name: channel });
const translated = (page: Page, channel: string): Locator => pane(page, channel).getByTestId('translated');
const checkbox = (page: Page, channel: string | RegExp): Locator => page.getByRole('checkbox', { name: channel });

describe.each(['zh', 'en'] as const)('channels of the translation test (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('compares three channels with exact costs and changes to one of them', async () => {
    const member = await newMember();
    const page = await open(member, lang);
    await pickLanguage(page, say.target, say.english);
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);

    await page.getByRole('button', { name: say.pick }).click();
    expect(await checkbox(page, say.own).isChecked()).toBe(true); // the own channel to begin with
    await checkbox(page, say.google).check();
    await checkbox(page, say.own).uncheck();
    await checkbox(page, say.tencent).check();
    await checkbox(page, say.deepl).check();
    await waitForText(page, say.full);
    expect(await checkbox(page, say.chatgpt).isDisabled()).toBe(true); // three at most
    await page.getByRole('button', { name: say.close, exact: true }).click();
    await waitForText(page, say.together);
    const after = TRIAL - TOGETHER;
    expect(await page.locator('.tt-send').textContent()).toContain(say.chars(grouped(after)));

    await page.getByLabel(say.text, { exact: true }).press('Control+Enter');
    for (const channel of ['google', 'tencent', 'deepl'] as const) {
      await translated(page, say[channel]).waitFor();
      expect(await translated(page, say[channel]).getAttribute('lang')).toBe('en');
      expect(await pane(page, say[channel]).textContent()).toContain(say.charged(COSTS[channel]));
    }
    await waitForText(page, say.chargedTogether);
    await page
      .locator('.tt-totals')
      .getByText(say.left(grouped(after)))
      .waitFor();
    expect((await ownQuota(member)).usableCharNum).toBe(after);
    const charges = (await entriesOf(member)).map(({ charChangeNum }) => charChangeNum);
    expect(charges.slice(0, 3).toSorted((a, b) => a - b)).toEqual([-COSTS.deepl, -COSTS.google, -COSTS.tencent]);

    const history = page.getByRole('region', { name: say.history });
    expect(await history.getByRole('listitem').filter({ hasText: say.deepl }).last().textContent()).toContain(
      (await translated(page, say.deepl).textContent()) ?? '?',
    );
    // Its times are those of the logs, whatever zone the browser has.
    const shown = (await history.getByRole('time').last().textContent()) ?? '';
    const now = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', timeStyle: 'short' }).format();
    const minute = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
    expect((minute(now) - minute(shown) + 1440) % 1440).toBeLessThanOrEqual(5);
    await pane(page, say.google).getByRole('button', { name: say.copy }).click();
    await waitForText(page, say.copied);
    expect(await overflowsOnPhone(page)).toBe(false);
    await page.context().close();

    await changesTo(member, after);
  });

  /** Changes the channel to DeepL on the overview: the preview comes true. */
  async function changesTo(member: SignedIn, before: number): Promise<void> {
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await page.getByRole('button', { name: say.change, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say.dialog });
    const after = Math.floor(before / 2);
    const row = dialog.locator('.ant-radio-wrapper', { hasText: say.deepl });
    await row.waitFor();
    expect(await row.textContent()).toContain(grouped(before));
    expect(await row.textContent()).toContain(say.chars(grouped(after)));
    await dialog.getByRole('radio', { name: say.deepl }).check();
    await dialog.getByRole('button', { name: say.confirm }).click();
    await waitForText(page, say.changed);
    await waitForNoDialog(page);
    await page.locator('.ov-facts').getByText(say.deepl).waitFor();
    await page.locator('.ov-figure').getByText(grouped(after), { exact: true }).waitFor();
    expect((await ownQuota(member)).usableCharNum).toBe(after);
  }

  inTurn('isolates a failing channel and retries it alone', async () => {
    const member = await newMember();
    const page = await open(member, lang);
    await pickLanguage(page, say.target, say.english);
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);
    await page.getByRole('button', { name: say.pick }).click();
    for (const channel of [say.google, say.chatgpt]) await checkbox(page, channel).check();
    giveBack = await takeVendor('chatgpt');
    await breakVendor('chatgpt');
    await page.getByLabel(say.text, { exact: true }).press('Control+Enter');

    await pane(page, say.chatgpt).getByText(say.refused).waitFor();
    await translated(page, say.google).waitFor();
    await pane(page, say.own).getByTestId('translated').waitFor();
    expect((await ownQuota(member)).usableCharNum).toBe(TRIAL - COSTS.google); // a gloss is free, and so is a failure
    const [good] = await translated(page, say.google).allTextContents();

    // A text that a vendor does not want is refused in other words, and trying again is not the way on.
    await breakVendor('chatgpt', 'block');
    await pane(page, say.chatgpt).getByRole('button', { name: say.retry }).click();
    await pane(page, say.chatgpt).getByText(say.unwanted).waitFor();
    await pane(page, say.chatgpt).getByRole('button', { name: say.edit }).waitFor();
    expect(await pane(page, say.chatgpt).getByRole('button', { name: say.retry }).count()).toBe(0);

    await restoreVendor('chatgpt');
    await page.getByLabel(say.text, { exact: true }).fill(`${SENTENCE}!`);
    await pane(page, say.chatgpt).getByText(say.unwanted).waitFor({ state: 'detached' }); // it was about another text
    await pane(page, say.chatgpt).getByRole('button', { name: say.onlyThis }).click();
    await translated(page, say.chatgpt).waitFor();
    expect(await translated(page, say.google).textContent()).toBe(good);
    expect((await ownQuota(member)).usableCharNum).toBe(TRIAL - COSTS.google - gpt(CHARS + 1));
  });

  inTurn('shows the detected language and swaps from it', async () => {
    const page = await open(await newMember(), lang);
    await pickLanguage(page, say.source, { typed: 'auto', code: 'auto' });
    await pickLanguage(page, say.target, { typed: 'zh-Hant', code: 'zh-Hant' });
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('translated').waitFor();
    await page.getByRole('button', { name: say.detected }).click();
    // It is the source now, and both languages stand among the recent ones when a list opens.
    await page.getByRole('combobox', { name: say.target }).focus();
    await page.keyboard.press('ArrowDown');
    const first = page.locator('.ant-select-dropdown:visible .ant-select-item-option').first();
    await first.waitFor();
    expect(await first.textContent()).toContain('zh-Hant');
  });

  inTurn('lets another channel take over when that is allowed, and only then', async () => {
    const member = await newMember();
    await postAs(member, '/memberGroup/changeChannel', { targetChannelId: DEEPL_ID });
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await page.getByRole('button', { name: say.change, exact: true }).click();
    const toggle = page.getByRole('dialog').getByRole('switch', { name: say.failover });
    expect(await toggle.getAttribute('aria-checked')).toBe('false');
    await breakVendor('deepl');
    await page.getByRole('dialog').getByRole('button', { name: say.cancel, exact: true }).click();
    await waitForNoDialog(page);

    const translate = async (): Promise<Page> => {
      const test = await open(member, lang);
      await pickLanguage(test, say.target, say.english);
      await test.getByLabel(say.text, { exact: true }).fill(SENTENCE);
      await test.keyboard.press('Control+Enter');
      return test;
    };
    const refused = await translate();
    await refused.getByText(say.refused).waitFor();
    await refused.context().close();

    await page.getByRole('button', { name: say.change, exact: true }).click();
    await toggle.click();
    await waitForText(page, say.on);
    await page.waitForFunction(() => document.querySelector('[role=switch][aria-checked=true]') !== null);
    await page.context().close();
    const served = await translate();
    await served.getByTestId('translated').waitFor();
    await served.locator('.tt-marks').getByText(say.served).waitFor();
    expect(await pane(served, say.deepl).textContent()).not.toContain(say.refused);
  });

  inTurn('offers no more expensive channel in time mode, and says why before sending', async () => {
    const member = await newMember();
    const { orderNo } = await createOrder(member, { mode: 'time' });
    await payAtCashier(orderNo);
    await waitUntil(async () => (await accountOf(member)).memberGroup.translationBillingMode === 'time');
    const page = await open(member, lang);
    await pickLanguage(page, say.target, say.english);
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);
    await page.getByRole('button', { name: say.pick }).click();
    for (const dear of [say.deepl, say.chatgpt]) {
      expect(await checkbox(page, dear).isDisabled()).toBe(true);
      await page.locator('.tt-picker li', { hasText: dear }).getByText(say.notIncludedWhy).waitFor();
    }
    await checkbox(page, say.google).check(); // it costs what the own one costs
    await waitForText(page, say.free);
    const panel = page.getByRole('region', { name: say.panel });
    await panel
      .getByRole('listitem')
      .filter({ hasText: say.deepl })
      .getByText(say.notIncluded, { exact: true })
      .waitFor();
    expect(await panel.getByText(say.notIncluded, { exact: true }).count()).toBe(2);
    await page.getByRole('button', { name: say.send, exact: true }).click();
    await translated(page, say.google).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('says that there is nothing to translate before it is sent', async () => {
    const page = await open(await newMember(), lang);
    const send = page.getByRole('button', { name: say.send, exact: true });
    await page.getByLabel(say.text, { exact: true }).fill('\u3000\u200b \u00a0');
    await page.getByRole('alert').getByText(say.blank).waitFor();
    expect(await send.isDisabled()).toBe(true);
    await page.context().setOffline(true);
    await page.getByRole('status').getByText(say.offline, { exact: true }).waitFor();
    await page.context().setOffline(false);
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);
    await page.getByText(say.blank).waitFor({ state: 'detached' });
    expect(await send.isDisabled()).toBe(false);
  });

  inTurn('leaves a sub-account the channel of its main account, and says so', async () => {
    const page = await open(await signIn('demo日韩', process.env['DEMO_PASSWORD'] ?? ''), lang);
    await page.getByText(say.subNote, { exact: true }).waitFor();
    await page.getByRole('button', { name: say.see }).click();
    await waitForText(page, say.mains);
    await page.getByRole('checkbox').nth(7).waitFor();
    const boxes = await page.getByRole('checkbox').all();
    expect(boxes).toHaveLength(8);
    for (const box of boxes) expect(await box.isDisabled()).toBe(true);
    expect(await checkbox(page, say.own).isChecked()).toBe(true);
  });
});
