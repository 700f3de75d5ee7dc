/** Notices and documents in the operators' console: written, previewed, published, seen live; changed by form, seen on the site (operators §10). */
import { randomBytes } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, newVisitor, showNotices, withBrowser } from './support/browser.js';
import { waitForPage } from './support/members.js';
import { newOperator, openOperators, type SignedInOperator } from './support/operators.js';
import { waitUntil } from './support/payment.js';

const SAYS = {
  zh: {
    title: '公告与内容',
    newNotice: '新公告',
    list: /条$/,
    preview: '中文预览',
    draft: '草稿',
    shown: '展示中',
    saveDraft: '存草稿',
    publish: '发布',
    publishChange: '发布改动',
    withdraw: '撤下',
    reason: '原因（记入操作日志）',
    required: '发布前要填',
    newer: '有人刚保存了更新的版本',
    keepMine: '保留我的',
    notices: '公告',
    only: '只有客服、所有者可以',
    addRecord: '加备案',
    recordText: '备案文字',
    recordUrl: '备案链接',
    raw: '原文 JSON',
    form: '表单',
    rawText: 'SITE_INFO 的原文',
    check: '试验证',
    checked: '可以保存',
    changes: '改动，未保存',
    noChanges: '没有改动',
    save: '保存',
    revert: '撤回全部',
    tryField: '账号，如 @yiqiao_care',
    tryButton: '验证',
    ours: /是本公司账号：/,
    notOurs: /不是本公司账号/,
    hide: /^停用 /,
    unlisted: '只供验证',
    addAccount: '加账号',
    platform: '平台',
    account: '账号',
    choose: '选择图片',
    take: '放入改动',
    picture: '二维码图片',
    saved: '已保存',
  },
  en: {
    title: 'Notices and content',
    newNotice: 'New notice',
    list: /notices?$/,
    preview: 'Preview in English',
    draft: 'Draft',
    shown: 'Shown',
    saveDraft: 'Save draft',
    publish: 'Publish',
    publishChange: 'Publish change',
    withdraw: 'Withdraw',
    reason: 'Reason (for the action log)',
    required: 'Needed before publishing',
    newer: 'Somebody has just saved a newer version',
    keepMine: 'Keep mine',
    notices: 'Notices',
    only: 'Only for Support, Owner',
    addRecord: 'Add registration',
    recordText: 'Text of the registration',
    recordUrl: 'Link of the registration',
    raw: 'Raw JSON',
    form: 'Form',
    rawText: 'Raw text of SITE_INFO',
    check: 'Try the check',
    checked: 'It can be saved',
    changes: 'Changes, not saved',
    noChanges: 'No changes',
    save: 'Save',
    revert: 'Revert all',
    tryField: 'Account, such as @yiqiao_care',
    tryButton: 'Check',
    ours: /is ours: /,
    notOurs: /is not ours/,
    hide: /^Hide /,
    unlisted: 'for checks only',
    addAccount: 'Add account',
    platform: 'Platform',
    account: 'Account',
    choose: 'Choose picture',
    take: 'Add to changes',
    picture: 'own picture',
    saved: 'Saved',
  },
} as const;

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const fresh = (): string => randomBytes(3).toString('hex');
const textsOf = (word: string) => ({
  name: word,
  title: `${word} title`,
  subTitle: '',
  content: `<p>${word} text</p>`,
});
const draftOf = (word: string) => ({ zh: textsOf(word), en: textsOf(word), startsAt: null, endsAt: null });
type Saved = { id: number; version: number };

async function fitsEveryWidth(page: Page): Promise<void> {
  for (const width of [1440, 1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Fills both languages of the notice on screen. */
async function write(page: Page, word: string): Promise<void> {
  for (const [half, name, title, content] of [
    ['中文', '标签', '标题', '正文'],
    ['English', 'Tab', 'Title', 'Text'],
  ] as const) {
    const group = page.getByRole('group', { name: half, exact: true });
    await group.getByLabel(name, { exact: true }).fill(word);
    await group.getByLabel(title, { exact: true }).fill(`${word} title`);
    await group.getByRole('textbox', { name: content, exact: true }).fill(`${word} text`);
  }
}

const withdrawn = (operator: SignedInOperator, id: number): Promise<unknown> =>
  operator.post(`/notices/${id}/withdraw`, { reason: 'the journey ends' });

describe.each(['zh', 'en'] as const)('notices in %s', (language) => {
  const inTurn = journeysInTurn(language);
  const say = SAYS[language];
  withBrowser();

  journey('are written, previewed, published, seen live by a visitor, and withdrawn', async () => {
    const operator = await newOperator('support');
    const page = await openOperators('/notices', { operator, language });
    await page.getByRole('heading', { level: 1, name: say.title }).waitFor();
    await page.getByRole('button', { name: say.newNotice }).click();
    await page.waitForURL('**/notices/new');
    await page.getByRole('button', { name: say.publish, exact: true }).click();
    await page.getByText(say.required).first().waitFor();
    const word = fresh();
    await write(page, word);
    const chinese = page.getByRole('group', { name: '中文', exact: true });
    await chinese.getByRole('textbox', { name: '正文', exact: true }).press('Control+a');
    await page.getByRole('toolbar').getByRole('button').nth(1).click();
    const preview = page.getByRole('region', { name: say.preview });
    await preview.getByRole('heading', { name: `${word} title` }).waitFor();
    await preview.getByText(`${word} text`).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await fitsEveryWidth(page);
    await page.getByRole('button', { name: say.saveDraft, exact: true }).click();
    await page.waitForURL(/\/notices\/\d+$/);
    const id = Number(new URL(page.url()).pathname.split('/').at(-1));
    const entry = page.locator(`a[href="/notices/${id}"]`);
    await entry.getByText(say.draft, { exact: true }).waitFor();

    const visitor = await newVisitor(language);
    await showNotices(visitor.context);
    const listed = visitor.page.waitForResponse('**/client-user/notice/list');
    await visitor.page.goto('/price');
    await waitForPage(visitor.page);
    expect(await (await listed).text()).not.toContain(word);

    await page.getByRole('button', { name: say.publish, exact: true }).click();
    await entry.getByText(say.shown, { exact: true }).waitFor();
    const modal = visitor.page.getByRole('dialog', { name: say.notices, exact: true });
    await modal.getByRole('tab', { name: word }).click();
    await modal.getByRole('heading', { name: `${word} title` }).waitFor();
    if (language === 'zh')
      expect(await modal.getByText(`${word} text`).evaluate((element) => element.tagName)).toBe('STRONG');

    await page.getByRole('button', { name: say.withdraw, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say.reason, { exact: true }).fill('the journey ends');
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: say.withdraw, exact: true }).click();
    await modal.getByRole('tab', { name: word }).waitFor({ state: 'detached' });
  });

  inTurn('that somebody else saves meanwhile show both versions, and go on with one', async () => {
    const [operator, other] = [await newOperator('support'), await newOperator('owner')];
    const word = fresh();
    const { id, version } = await operator.post<Saved>('/notices', draftOf(word));
    const page = await openOperators(`/notices/${id}`, { operator, language });
    const english = page.getByRole('group', { name: 'English', exact: true });
    await english.getByLabel('Title', { exact: true }).fill(`${word} mine`);
    await other.post(`/notices/${id}`, {
      version,
      ...draftOf(word),
      en: { ...textsOf(word), title: `${word} theirs` },
    });
    const conflict = page.getByRole('alert').filter({ hasText: say.newer });
    await conflict.getByRole('cell', { name: `${word} theirs` }).waitFor();
    await conflict.getByRole('cell', { name: `${word} mine` }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await conflict.getByRole('button', { name: say.keepMine }).click();
    await page.getByRole('button', { name: say.publish, exact: true }).click();
    await page.locator(`a[href="/notices/${id}"]`).getByText(say.shown, { exact: true }).waitFor();
    await withdrawn(operator, id);
  });

  inTurn('can be read by a viewer, who is told who may change them', async () => {
    const operator = await newOperator('support');
    const { id } = await operator.post<Saved>('/notices', draftOf(fresh()));
    const page = await openOperators(`/notices/${id}`, { operator: await newOperator('viewer'), language });
    await page.getByText(say.only).waitFor();
    expect(await page.getByRole('button', { name: say.publish, exact: true }).isDisabled()).toBe(true);
    await withdrawn(operator, id);
  });
});

describe.each(['zh', 'en'] as const)('documents in %s', (language) => {
  const inTurn = journeysInTurn(language);
  const say = SAYS[language];
  withBrowser();

  journey('are changed by a form in step with their text, and seen on the public site', async () => {
    const operator = await newOperator('owner');
    const page = await openOperators('/content/SITE_INFO', { operator, language });
    const record = `ICP ${fresh()}`;
    await page.getByRole('button', { name: say.addRecord }).click();
    await page.getByLabel(say.recordText, { exact: true }).fill(record);
    await page.getByLabel(say.recordUrl, { exact: true }).fill('https://beian.example/');
    const changes = page.getByRole('region', { name: say.changes });
    await changes.getByText(record).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await fitsEveryWidth(page);
    await page.getByText(say.raw, { exact: true }).click();
    const raw = page.getByLabel(say.rawText, { exact: true });
    const text = await raw.inputValue();
    expect(text).toContain(`"text": "${record}"`);
    await raw.fill(text.replace(record, `${record} B`));
    await page.getByRole('button', { name: say.check, exact: true }).click();
    await page.getByText(say.checked).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByText(say.form, { exact: true }).click();
    expect(await page.getByLabel(say.recordText, { exact: true }).inputValue()).toBe(`${record} B`);
    await changes.getByLabel(say.reason, { exact: true }).fill('a journey through the console');
    await changes.getByRole('button', { name: say.save, exact: true }).click();
    await page.getByRole('region', { name: say.noChanges }).waitFor();
    const { page: site } = await newVisitor(language);
    await site.goto('/home');
    // The server renders its pages again within seconds. A document, because the language is the browser's.
    await waitUntil(async () => {
      await site.reload();
      return (await site.locator('meta[name=site-data]').getAttribute('content'))?.includes(`${record} B`) === true;
    });
    await site
      .getByRole('contentinfo')
      .getByRole('link', { name: `${record} B` })
      .waitFor();
    const answer = await page.request.get(new URL('/operator-api/documents/SITE_INFO', page.url()).href);
    const { version, valued } = ((await answer.json()) as { data: { version: number; valued: string } }).data;
    const before = { ...(JSON.parse(valued) as object), record: null };
    const restored = { version, valued: JSON.stringify(before), reason: 'the journey ends' };
    await operator.post('/documents/SITE_INFO', restored);
    // Told by the stream: nobody has touched the form.
    await page.getByRole('button', { name: say.addRecord }).waitFor();
  });

  inTurn('of the customer service take pictures, list every change, and try what members check', async () => {
    const page = await openOperators('/content/CUSTOMER_SERVICE', { operator: await newOperator('support'), language });
    const search = page.getByLabel(say.tryField, { exact: true });
    await search.fill('yiqiao_care');
    await page.getByRole('button', { name: say.tryButton, exact: true }).click();
    await page.getByText(say.ours).waitFor();
    await search.fill('yiqiao_care1');
    await page.getByRole('button', { name: say.tryButton, exact: true }).click();
    await page.getByText(say.notOurs).waitFor();
    await page.getByRole('button', { name: say.hide }).first().click();
    const changes = page.getByRole('region', { name: say.changes });
    await changes.getByText(say.unlisted).waitFor();
    await page.getByRole('button', { name: say.addAccount }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(say.platform, { exact: true }).fill('Signal');
    const account = `+44 ${fresh()}`;
    await drawer.getByLabel(say.account, { exact: true }).fill(account);
    await drawer.locator('input[type=file]').setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: PNG });
    await drawer.getByRole('img').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await drawer.getByRole('button', { name: say.take }).click();
    const row = page.getByRole('row').filter({ hasText: account });
    await row.getByText(say.picture, { exact: true }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await fitsEveryWidth(page);
    await changes.getByRole('button', { name: say.revert }).click();
    await page.getByRole('region', { name: say.noChanges }).waitFor();
    expect(await row.count()).toBe(0);
  });
});
