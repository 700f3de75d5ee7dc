import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pickScripts, selectOption } from './support/controls.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { goWithin, newMember, waitForText, type SignedIn, gotoAs } from './support/members.js';

const SENTENCE = '您好，软件已经寄出。';

const SAYS = {
  zh: {
    text: '原文',
    download: '下载 CSV',
    type: '日志类型',
    client: '客户端',
    translation: '翻译消耗',
    other: '其他',
    invite: '邀请奖励',
    web: '网页',
    query: '查询',
    none: '没有符合条件的记录',
    head: '时间,类型,变动,说明',
    sentence: '新会员试用',
    show: '展开明细',
    field: '计费方式',
    network: '网络连接失败，请检查网络后重试',
    bounded: '10,000+ 条',
    boundedFile: '文件含最近 10,000 条',
    archived: '2098-12-31 23:59:59 及更早的翻译已归档',
    busy: '操作过于频繁，请稍后再试',
    translationLog: '翻译日志',
    translationHead: /^时间,/,
    loginHead: /^登录时间,/,
  },
  en: {
    text: 'Source text',
    download: 'Download CSV',
    type: 'Type',
    client: 'Client',
    translation: 'Translation',
    other: 'Other',
    invite: 'Invite reward',
    web: 'Web',
    query: 'Search',
    none: 'No entries match',
    head: 'Time,Type,Change,Explanation',
    sentence: 'New member trial',
    show: 'Show details',
    field: 'Billing',
    network: 'No connection. Check your network and try again.',
    bounded: '10,000+ entries',
    boundedFile: 'the file holds the latest 10,000',
    archived: 'Translations up to 2098-12-31 23:59:59 are archived',
    busy: 'Too many requests. Please wait a moment and try again.',
    translationLog: 'Translation log',
    translationHead: /^Time,/,
    loginHead: /^Sign-in time,/,
  },
} as const;

withBrowser();

const rows = (page: Page) => page.locator('.ant-table-row');

/** The lines of the file that the button gives, without the mark that tells spreadsheets about UTF-8. */
async function downloaded(page: Page, button: string): Promise<{ name: string; lines: string[] }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  const text = readFileSync(await file.path(), 'utf8');
  expect(text.startsWith('\uFEFF')).toBe(true);
  return { name: file.suggestedFilename(), lines: text.slice(1).trim().split('\r\n') };
}

describe.each(['zh', 'en'] as const)('a log as a table and as a file (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
    const page = await gotoAs('/UserCenterChangeTranslateTest', member, lang);
    await pickScripts(page, lang);
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('translated').waitFor();
  });

  journey('downloads exactly the filtered rows', async () => {
    const page = await gotoAs('/UserCenterAccountLog', member, lang);
    await rows(page).first().waitFor();
    const all = await downloaded(page, say.download);
    expect(all.name).toMatch(/^account-log-\d{4}-\d{2}-\d{2}\.csv$/);
    expect(all.lines[0]).toContain(say.head);
    expect(all.lines).toHaveLength(3);
    expect(all.lines[1]).toContain(say.translation);

    await selectOption(page, say.type, say.other);
    await page.getByRole('button', { name: say.query, exact: true }).click();
    await page.waitForURL(/OTHER/);
    await rows(page).filter({ hasText: say.translation }).waitFor({ state: 'detached' });
    const some = await downloaded(page, say.download);
    expect(some.lines).toHaveLength(2);
    expect(some.lines[1]).toContain(say.sentence);
  });

  inTurn('shows a refusal and keeps the page', async () => {
    const page = await gotoAs('/UserCenterAccountLog', member, lang);
    await rows(page).first().waitFor();
    await page.route('**/memberAccountLog/export**', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '5' },
        json: { success: false, data: null, msg: say.busy, code: 'TOO_MANY_REQUESTS', status: 429 },
      }),
    );
    await page.getByRole('button', { name: say.download, exact: true }).click();
    await page.getByRole('alert').getByText(say.busy).waitFor();
    expect(await rows(page).count()).toBe(2);
    await page.getByRole('button', { name: say.download, exact: true }).waitFor();
  });

  inTurn('discards an incomplete download and says so', async () => {
    const page = await gotoAs('/UserCenterAccountLog', member, lang);
    await rows(page).first().waitFor();
    let files = 0;
    page.on('download', () => (files += 1));
    // A connection that ends in the middle: what the server cannot be asked to do.
    await page.evaluate(() => {
      const fetchAll = window.fetch.bind(window);
      window.fetch = (input, init) => {
        if (!new Request(input, init).url.includes('/export')) return fetchAll(input, init);
        const body = new ReadableStream({
          start: (stream) => stream.enqueue(new TextEncoder().encode('\uFEFFhead')),
          pull: (stream) => stream.error(new TypeError('network error')),
        });
        return Promise.resolve(new Response(body, { headers: { 'Content-Type': 'text/csv; charset=utf-8' } }));
      };
    });
    await page.getByRole('button', { name: say.download, exact: true }).click();
    await page.getByRole('alert').getByText(say.network).waitFor();
    await page.getByRole('button', { name: say.download, exact: true }).waitFor();
    expect(files).toBe(0);
  });

  inTurn('says what is archived, where the range reaches back to it', async () => {
    const page = await gotoAs('/UserCenterAccountLog', member, lang);
    await rows(page).first().waitFor();
    expect(await page.locator('.lg-archived').count()).toBe(0);
    let archivedUntil = '2020-01-01 00:00:00';
    await page.route('**/memberAccountLog/page**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: object };
      await route.fulfill({ response, json: { ...body, data: { ...body.data, archivedUntil } } });
    });
    const search = async (): Promise<void> => {
      const read = page.waitForResponse(/memberAccountLog\/page/);
      await page.getByRole('button', { name: say.query, exact: true }).click();
      await read;
    };
    await search();
    expect(await page.locator('.lg-archived').count()).toBe(0);
    archivedUntil = '2098-12-31 23:59:59';
    await search();
    await waitForText(page, say.archived);
  });

  inTurn('says where counting stopped', async () => {
    const page = await gotoAs('/UserCenterAccountLog', member, lang);
    await rows(page).nth(1).waitFor();
    // Ten thousand matches of one client, as the server answers them.
    await page.route('**/memberAccountLog/page**', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data: { total: number } };
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, total: 10_000 } } });
    });
    await selectOption(page, say.client, say.web);
    await page.getByRole('button', { name: say.query, exact: true }).click();
    await waitForText(page, say.bounded);
    await waitForText(page, say.boundedFile);
  });

  inTurn('filters by client, opens an entry, and adds no history entries', async () => {
    const page = await gotoAs('/UserCenterAccountLog', member, lang);
    await rows(page).nth(1).waitFor();
    const before = await page.evaluate(() => history.length);
    await selectOption(page, say.client, say.web);
    await page.getByRole('button', { name: say.query, exact: true }).click();
    await rows(page).nth(1).waitFor({ state: 'detached' });
    expect(await rows(page).first().textContent()).toContain(say.translation);
    expect(await page.evaluate(() => history.length)).toBe(before);

    const toggle = page.getByRole('button', { name: say.show });
    await toggle.focus();
    await page.keyboard.press('Enter');
    const details = page.locator('.le-details');
    await details.getByText(say.field, { exact: true }).waitFor();
    expect(await details.textContent()).toContain((5000 - [...SENTENCE].length).toLocaleString('en-US'));

    await selectOption(page, say.type, say.invite);
    await page.getByRole('button', { name: say.query, exact: true }).click();
    await waitForText(page, say.none);
    expect(await page.getByRole('button', { name: say.download, exact: true }).isDisabled()).toBe(true);

    await page.getByRole('link', { name: say.translationLog, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: say.translationLog }).waitFor();
    await page.goBack();
    await waitForText(page, say.none);
    expect(page.url()).toContain('INVITE_REWARD');
  });

  inTurn('downloads the translation log and the login log too', async () => {
    const page = await gotoAs('/UserCenterChangeTranslateLog', member, lang);
    await rows(page).first().waitFor();
    const translations = await downloaded(page, say.download);
    expect(translations.lines[0]).toMatch(say.translationHead);
    expect(translations.lines).toHaveLength(2);
    await goWithin(page, '/UserCenterLoginLog');
    await rows(page).first().waitFor();
    const logins = await downloaded(page, say.download);
    expect(logins.lines[0]).toMatch(say.loginHead);
    expect(logins.lines[1]).toContain(say.web);
  });
});
