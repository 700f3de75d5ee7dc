import { beforeAll, describe, expect } from '@jest/globals';
import { journey, newPerson, withBrowser } from './support/journey.js';
import { logIn } from './support/people.js';
import { atRecharge, SAYS } from './support/shop.js';
import { newMember, overflowsPhone, seen, type SignedIn } from './support/signed-in.js';

withBrowser();

const ROWS = {
  zh: ['500 万字符', '¥0.40 / 万字符', '可建子账号', '不限字符', '30 天', '不支持子账号', '198.00'],
  en: [
    '5,000k characters',
    '¥0.40 / 10k',
    'Sub-accounts',
    'No character limit',
    '30 days',
    'No sub-accounts',
    '198.00',
  ],
} as const;

describe.each(['zh', 'en'] as const)('the price page (%s)', (lang) => {
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  journey('lists what is on sale to everybody, on a phone too', async () => {
    const { page } = await newPerson(lang);
    await page.goto('/price');
    for (const text of ROWS[lang]) await seen(page, text);
    await page.getByRole('radio', { name: say.standard }).focus();
    await page.keyboard.press('ArrowUp'); // round to the last: both groups are one choice
    expect(await page.getByRole('radio').last().isChecked()).toBe(true);
    expect(await overflowsPhone(page)).toBe(false);
  });

  journey('says when the packages do not load, and loads them again', async () => {
    const { page } = await newPerson(lang);
    const busy = { success: false, data: null, msg: 'too busy', code: 'SERVICE_BUSY', status: 503 };
    await page.route('**/memberGroup/saleList', (route) => route.fulfill({ status: 503, json: busy }));
    // What stands in a document needs no loading: it is loaded for whoever comes from another page.
    await page.goto('/home');
    await page.locator('footer a[href="/price"]').click();
    await seen(page, busy.msg);
    await page.unroute('**/memberGroup/saleList');
    await page.getByRole('alert').getByRole('button').click();
    await seen(page, ROWS[lang][0]);
  });

  journey('leads to recharge, through login, with the package chosen', async () => {
    const { page } = await newPerson(lang);
    await page.goto('/price');
    await page.getByRole('radio', { name: say.standardMonthly }).check();
    await page.getByRole('link', { name: say.select }).click();
    await page.waitForURL(/\/login\?type=2$/);
    await page.getByRole('link', { name: say.logIn, exact: true }).first().click();
    await logIn(page, member, lang);
    await page.waitForURL(/\/UserCenterRecharge\?memberGroupId=7$/);
    await atRecharge(page);
    expect(await page.getByRole('radio', { name: say.standardMonthly }).isChecked()).toBe(true);

    await page.goto('/price');
    await page.getByRole('radio', { name: say.high }).check();
    await page.getByRole('link', { name: say.selectMember }).click();
    await page.waitForURL(/\/UserCenterRecharge\?memberGroupId=4$/);
    await atRecharge(page);
    expect(await page.getByRole('radio', { name: say.high }).isChecked()).toBe(true);
  });
});
