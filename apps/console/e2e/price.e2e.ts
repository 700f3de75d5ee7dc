import { beforeAll, describe, expect } from '@jest/globals';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { logIn, newMember, overflowsOnPhone, waitForHydration, waitForText, type SignedIn } from './support/members.js';
import { waitForPackages, previewed, SAYS } from './support/payment.js';

withBrowser();

/** What the page says of the same value elsewhere: of the package that is chosen first, and of the monthly one. */
const WORTHS = {
  zh: {
    note: '各通道折合，价值相同',
    chars: [/^谷歌翻译、离线引擎、.*5,000,000 字符$/, /^DeepL2,500,000 字符$/, /^ChatGPT2,083,333 字符$/],
    time: [/^谷歌翻译、离线引擎、.*30 天$/, /^DeepL15 天$/, /^ChatGPT12 天 12 小时$/],
  },
  en: {
    note: 'The same value',
    chars: [
      /^Google, Offline engine, .*5,000,000 characters$/,
      /^DeepL2,500,000 characters$/,
      /^ChatGPT2,083,333 characters$/,
    ],
    time: [/^Google, Offline engine, .*30 days$/, /^DeepL15 days$/, /^ChatGPT12 days 12 hours$/],
  },
} as const;

const ROWS = {
  zh: [
    '500 万字符',
    '按谷歌翻译单价',
    '按 DeepL 单价',
    '¥0.40 / 万字符',
    '可建子账号',
    '不限字符',
    '30 天',
    '不支持子账号',
    '198.00',
  ],
  en: [
    '5,000k characters',
    'at Google’s price',
    'at DeepL’s price',
    '¥0.40 / 10k',
    'Sub-accounts',
    'No character limit',
    '30 days',
    'No sub-accounts',
    '198.00',
  ],
} as const;

describe.each(['zh', 'en'] as const)('the price page (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  journey('lists what is on sale to everybody, on a phone too', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/price');
    await waitForHydration(page);
    for (const text of ROWS[lang]) await waitForText(page, text);
    await page.getByRole('radio', { name: say.standard }).focus();
    await page.keyboard.press('ArrowUp'); // round to the last: both groups are one choice
    expect(await page.getByRole('radio').last().isChecked()).toBe(true);
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('shows the value of a package on every channel, also without scripts', async () => {
    const { context, page } = await newVisitor(lang);
    await page.goto('/price');
    await waitForHydration(page);
    const worth = page.locator('.price-worth');
    await worth.getByText(WORTHS[lang].note).waitFor();
    const rows = () => worth.locator('dl > div').allTextContents();
    const says = async (wanted: readonly RegExp[]): Promise<void> => {
      const texts = await rows();
      expect(texts).toHaveLength(wanted.length);
      for (const [row, pattern] of wanted.entries()) expect(texts[row]).toMatch(pattern);
    };
    await says(WORTHS[lang].chars);
    await page.getByRole('radio', { name: say.standardMonthly }).check();
    await says(WORTHS[lang].time);
    const bare = await (await context.request.get(`/price${lang === 'en' ? '?lang=en' : ''}`)).text();
    expect(bare).toContain(ROWS[lang][1]);
    expect(bare).toContain(WORTHS[lang].note);
  });

  inTurn('shows a failure of the packages and retries', async () => {
    const { page } = await newVisitor(lang);
    const busy = { success: false, data: null, msg: 'too busy', code: 'SERVICE_BUSY', status: 503 };
    await page.route('**/memberGroup/saleList', (route) => route.fulfill({ status: 503, json: busy }));
    // What stands in a document needs no loading: it is loaded for whoever comes from another page.
    await page.goto('/home');
    await waitForHydration(page);
    await page.locator('footer a[href="/price"]').click();
    await waitForText(page, busy.msg);
    await page.unroute('**/memberGroup/saleList');
    await page.getByRole('alert').getByRole('button').click();
    await waitForText(page, ROWS[lang][0]);
  });

  inTurn('leads to recharge, through login, with the package chosen', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/price');
    await waitForHydration(page);
    await page.getByRole('radio', { name: say.standardMonthly }).check();
    await page.getByRole('link', { name: say.select }).click();
    await page.waitForURL(/\/login\?type=2$/);
    await page.getByRole('link', { name: say.logIn, exact: true }).first().click();
    await logIn(page, member, lang);
    await page.waitForURL(/\/UserCenterRecharge\?memberGroupId=7$/);
    await waitForPackages(page);
    expect(await page.getByRole('radio', { name: say.standardMonthly }).isChecked()).toBe(true);

    await page.goto('/price');
    await waitForHydration(page);
    await page.getByRole('radio', { name: say.standardMonthly }).check();
    expect((await previewed(page))[0]).toBe('0'); // the characters become time
    await page.getByRole('radio', { name: say.high }).check();
    await page.getByRole('link', { name: say.selectMember }).click();
    await page.waitForURL(/\/UserCenterRecharge\?memberGroupId=4$/);
    await waitForPackages(page);
    expect(await page.getByRole('radio', { name: say.high }).isChecked()).toBe(true);
  });
});
