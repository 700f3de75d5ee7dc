import { readFile } from 'node:fs/promises';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { demoMain, getAs, newChild, postAs, removeChildren, signIn } from './support/api.js';
import { holdRequest, journey, journeysInTurn, withBrowser, type Language } from './support/browser.js';
import { pickScripts } from './support/controls.js';
import { goWithin, newMember, waitForNoDialog, overflowsOnPhone, waitForText, gotoAs } from './support/members.js';

const SAYS = {
  zh: {
    menu: '术语表',
    empty: '还没有术语',
    add: '添加术语',
    languages: ['简体中文', '繁体中文'],
    fields: ['原文语言', '译文语言', '术语', '译文'],
    save: '保存',
    added: '已添加',
    exists: '该语言方向已有相同的术语',
    search: '搜索术语或译文',
    noMatch: '没有符合条件的记录',
    reset: '重置',
    import: '导入',
    template: '下载模板',
    headings: '原文语言,译文语言,术语,译文',
    invalid: '2 行有问题，未导入任何内容',
    lines: ['第 2 行', '第 3 行'],
    imported: '已导入：新增 2，修改 0，未变 1，删除 0',
    download: '下载 CSV',
    remove: '删除术语 皇后',
    verb: '删除',
    deleted: '删除成功',
    text: '原文',
    used: '已用术语',
    total: '共 3 条',
  },
  en: {
    menu: 'Glossary',
    empty: 'No terms yet',
    add: 'Add term',
    languages: ['Chinese (Simplified)', 'Chinese (Traditional)'],
    fields: ['Source language', 'Target language', 'Term', 'Translation'],
    save: 'Save',
    added: 'Added',
    exists: 'This term already exists for this language pair.',
    search: 'Search terms and translations',
    noMatch: 'No entries match',
    reset: 'Reset',
    import: 'Import',
    template: 'Download a template',
    headings: 'source,target,term,translation',
    invalid: '2 lines have errors, so nothing was imported',
    lines: ['Line 2', 'Line 3'],
    imported: 'Imported: 2 added, 0 changed, 1 unchanged, 0 deleted',
    download: 'Download CSV',
    remove: 'Delete term 皇后',
    verb: 'Delete',
    deleted: 'Deleted',
    text: 'Source text',
    used: 'Terms used',
    total: '3 in total',
  },
} as const;

withBrowser();

async function pick(page: Page, label: string, option: string): Promise<void> {
  const field = page.getByRole('dialog').getByRole('combobox', { name: label, exact: true });
  await field.click();
  await field.fill(option);
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: option }).first().click();
}

async function addTerm(page: Page, lang: Language): Promise<void> {
  const say = SAYS[lang];
  await page.getByRole('button', { name: say.add }).first().click();
  const dialog = page.getByRole('dialog', { name: say.add });
  await pick(page, say.fields[0], say.languages[0]);
  await pick(page, say.fields[1], say.languages[1]);
  await dialog.getByLabel(say.fields[2], { exact: true }).fill('皇后');
  await dialog.getByLabel(say.fields[3], { exact: true }).fill('女王陛下');
  await dialog.getByRole('button', { name: say.save }).click();
}

const csv = (...lines: string[]) => ({
  name: 'terms.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`source,target,term,translation\n${lines.join('\n')}\n`),
});

describe.each(['zh', 'en'] as const)('the glossary (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey(
    'takes a term, uses it in a translation and marks it there; a term that exists is refused at its field',
    async () => {
      const member = await newMember();
      const page = await gotoAs('/UserCenterGlossary', member, lang);
      await waitForText(page, say.empty);
      await addTerm(page, lang);
      await waitForText(page, say.added);
      await waitForNoDialog(page);
      await page.getByRole('row').filter({ hasText: '女王陛下' }).waitFor();
      await addTerm(page, lang);
      await waitForText(page, say.exists);

      await goWithin(page, '/UserCenterChangeTranslateTest');

      await pickScripts(page, lang);
      await page.getByLabel(say.text, { exact: true }).fill('头发很长，发现皇后在后面。');
      await page.keyboard.press('Control+Enter');
      const pane = page.locator('.tt-target');
      await pane.getByText(say.used).waitFor();
      expect(await pane.getByTestId('translated').textContent()).toBe('頭髮很長，發現女王陛下在後面。');
      expect(await pane.locator('mark').allTextContents()).toEqual(['女王陛下']);
    },
  );

  inTurn('shows the refusal of a term although the page was left while it was saved', async () => {
    const member = await newMember();
    const known = { source: 'zh-Hans', target: 'zh-Hant', term: '皇后', translation: '女王' };
    await postAs(member, '/glossary/save', known);
    const page = await gotoAs('/UserCenterInfo', member, lang);
    await page.getByRole('link', { name: say.menu }).click();
    const save = await holdRequest(page, '**/glossary/save');
    await addTerm(page, lang);
    await save.sent;
    await page.goBack();
    await waitForNoDialog(page);
    save.release();
    await waitForText(page, say.exists);
  });

  inTurn('imports a file completely or not at all, searches, exports and deletes', async () => {
    const member = await newMember();
    const first = { source: 'zh-Hans', target: 'zh-Hant', term: '皇后', translation: '女王' };
    await postAs(member, '/glossary/save', first);
    const page = await gotoAs('/UserCenterGlossary', member, lang);
    await page.getByRole('button', { name: say.import, exact: true }).click();
    const dialog = page.getByRole('dialog');
    const template = page.waitForEvent('download');
    await dialog.getByRole('button', { name: say.template }).click();
    expect(await readFile(await (await template).path(), 'utf8')).toContain(`${say.headings}\r\n`);
    const send = async (...lines: string[]): Promise<void> => {
      await dialog.locator('input[type=file]').setInputFiles(csv(...lines));
      await dialog.getByRole('button', { name: say.import, exact: true }).click();
    };
    await send('zh-Hans,xx,软件,軟體', 'zh-Hans,zh-Hant,,空');
    await dialog.getByText(say.invalid).waitFor();
    for (const line of say.lines) await dialog.getByText(line).first().waitFor();
    expect(await getAs<{ count: number }>(member, '/glossary/page')).toMatchObject({ count: 1 });
    await send('zh-Hans,zh-Hant,软件,軟體', 'zh-Hans,zh-Hant,皇后,女王', 'zh-Hans,zh-Hant,网络,網路');
    await waitForText(page, say.imported);
    await waitForNoDialog(page);
    await waitForText(page, say.total);

    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: say.download }).click();
    const path = await (await coming).path();
    expect((await readFile(path, 'utf8')).split('\r\n').filter((line) => line.includes('zh-Hant'))).toHaveLength(3);

    await page.getByLabel(say.search).fill('没有这个');
    await waitForText(page, say.noMatch);
    await page.getByRole('button', { name: say.reset }).click();
    await page.getByRole('button', { name: say.remove }).click();
    await page.getByRole('dialog').getByRole('button', { name: say.verb, exact: true }).click();
    await waitForText(page, say.deleted);
    await waitForNoDialog(page);
    await page.getByRole('row').filter({ hasText: '皇后' }).waitFor({ state: 'detached' });
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('shows a sub-account the terms of its family, to be read only', async () => {
    const main = await demoMain();
    const child = await newChild(main);
    try {
      const page = await gotoAs('/UserCenterGlossary', await signIn(child.account, child.password), lang);
      await page.getByRole('heading', { name: say.menu, level: 1 }).waitFor();
      await page.getByLabel(say.search).waitFor();
      expect(await page.getByRole('button', { name: say.add }).count()).toBe(0);
      expect(await page.getByRole('button', { name: say.import, exact: true }).count()).toBe(0);
    } finally {
      await removeChildren(main, [child.account]);
    }
  });
});
