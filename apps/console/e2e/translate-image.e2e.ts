import { readFile } from 'node:fs/promises';
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { ownQuota } from './support/api.js';
import { journey, withBrowser } from './support/browser.js';
import { dropFirstResponse, renderPicture } from './support/media.js';
import { newMember, overflowsOnPhone, waitForText, openPageAs } from './support/members.js';
import { pickLanguage } from './support/controls.js';

const TRIAL = 20;
const ENGLISH = { typed: 'English', code: 'en' };
const SPANISH = { typed: 'Spanish', code: 'es' };

const SAYS = {
  zh: {
    tab: '图片',
    source: '原文语言',
    target: '译图语言',
    choose: '选择图片',
    cost: `剩余${TRIAL}${TRIAL - 1} 张图片`,
    translate: '翻译',
    drawn: '译图',
    original: '原图',
    found: /^2 处文字，用时 .+ 秒，扣 1 张图片$/,
    blocks: '图中文字',
    compare: '对照原图',
    slider: '原图与译图的分界线',
    download: '下载译图',
    history: '本次测试记录',
    ledger: '账变日志',
    done: '翻译成功',
    row: '−1 张图片',
    notPicture: '无法读取这个文件',
    noText: '图片中没有识别到文字，本次未扣费。',
    other: '换一张图片',
    network: '网络连接失败',
    retry: '重试',
    once: '原样重试不会重复扣费',
  },
  en: {
    tab: 'Image',
    source: 'Source language',
    target: 'Language of the new picture',
    choose: 'Choose a picture',
    cost: `Left${TRIAL}${TRIAL - 1} images`,
    translate: 'Translate',
    drawn: 'Translated picture',
    original: 'Original picture',
    found: /^2 texts, .+ s, charged 1 image$/,
    blocks: 'Text in the picture',
    compare: 'Compare',
    slider: 'Line between original and translation',
    download: 'Download',
    history: 'This session',
    ledger: 'Account log',
    done: 'Translation successful',
    row: '−1 image',
    notPicture: 'This file cannot be read',
    noText: 'No text was found in the picture. You were not charged.',
    other: 'Another picture',
    network: 'No connection',
    retry: 'Try again',
    once: 'Sending the same file again never charges you twice',
  },
} as const;

withBrowser();

const PAGE = '/UserCenterChangeTranslateTest?tab=image';
const file = (page: Page): Locator => page.locator('.md-work input[type=file]');
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

describe.each(['zh', 'en'] as const)('pictures on the translation test (%s)', (lang) => {
  const say = SAYS[lang];

  journey('shows the cost, redraws the picture, and lists each translated text', async () => {
    const member = await newMember();
    const page = await openPageAs(member, lang);
    await page.goto(PAGE);
    await page.getByRole('button', { name: say.choose }).waitFor();
    await pickLanguage(page, say.source, ENGLISH);
    await pickLanguage(page, say.target, SPANISH);
    const label = await renderPicture(page, ['Material: polyester', 'Hand wash only']);
    await file(page).setInputFiles(label);
    await page.getByRole('img', { name: say.original }).waitFor();
    const send = (await page.locator('.tt-send:visible').textContent()) ?? '';
    expect(send.replaceAll(/变动[前后] ?|before ?|after ?/g, '')).toContain(say.cost);
    await press(page, say.translate);
    await page.getByRole('status').getByText(say.done, { exact: true }).waitFor(); // it leaves by itself

    const drawn = page.getByRole('img', { name: say.drawn });
    await drawn.waitFor();
    expect(await page.getByTestId('charged').textContent()).toMatch(say.found);
    const lines = page.getByRole('region', { name: say.blocks }).getByRole('listitem');
    expect(await lines.first().textContent()).toMatch(/polyester.*poli[eé]ster/i);
    expect((await ownQuota(member)).usableImageNum).toBe(TRIAL - 1);

    // A line shows its place in both pictures, and a place its line.
    await lines.nth(1).hover();
    await page.locator('.im-mark[data-chosen=true]').nth(1).waitFor();
    await page.locator('.tt-target .im-mark').first().hover();
    await page.locator('[data-chosen=true]').and(lines.first()).waitFor();

    await press(page, say.compare);
    const slider = page.getByRole('slider', { name: say.slider });
    await slider.focus();
    await page.keyboard.press('End');
    expect(await slider.inputValue()).toBe('100');
    await press(page, say.compare);

    const [download] = await Promise.all([page.waitForEvent('download'), press(page, say.download)]);
    expect(download.suggestedFilename()).toBe('label.es.png');
    const saved = await readFile(await download.path());
    expect(saved.subarray(1, 4).toString()).toBe('PNG');
    expect(saved.equals(label.buffer)).toBe(false);

    const visit = page.getByRole('region', { name: say.history }).getByRole('listitem').first();
    expect(await visit.textContent()).toMatch(/polyester/);
    expect(await overflowsOnPhone(page)).toBe(false);
    await page.getByRole('tabpanel').getByRole('link', { name: say.ledger }).click();
    await page.waitForURL(/UserCenterAccountLog/);
    await page.locator('.ant-table-row', { hasText: say.row }).first().waitFor();
  });
});

describe('pictures that do not work', () => {
  const say = SAYS.zh;

  journey('are refused free of charge, each with its next step', async () => {
    const member = await newMember();
    const page = await openPageAs(member, 'zh');
    await page.goto(PAGE);
    await page.getByRole('button', { name: say.choose }).waitFor();
    await file(page).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
    await waitForText(page, say.notPicture);
    expect(await page.getByRole('button', { name: say.translate, exact: true }).isDisabled()).toBe(true);

    await file(page).setInputFiles(await renderPicture(page, []));
    await page.getByRole('img', { name: say.original }).waitFor();
    expect(await page.getByText(say.notPicture).count()).toBe(0);
    await press(page, say.translate);
    await waitForText(page, say.noText);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, say.other)]);
    await chooser.setFiles(await renderPicture(page, ['Made in China']));
    await page.getByText(say.noText).waitFor({ state: 'detached' }); // it was about the picture before
    expect((await ownQuota(member)).usableImageNum).toBe(TRIAL);
  });

  journey('can be pasted or dropped, and are charged once after a lost response', async () => {
    const member = await newMember();
    const page = await openPageAs(member, 'zh');
    const keys = await dropFirstResponse(page, '/translation/image');
    await page.goto(PAGE);
    await page.getByRole('button', { name: say.choose }).waitFor();
    await pickLanguage(page, say.source, ENGLISH);
    await pickLanguage(page, say.target, SPANISH);
    const { buffer } = await renderPicture(page, ['Hand wash only']);
    const give = (how: 'paste' | 'drop'): Promise<void> =>
      page.evaluate(
        ([content, kind]) => {
          const data = new DataTransfer();
          const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
          data.items.add(new File([bytes], `${kind}.png`, { type: 'image/png' }));
          const place = document.querySelector('.md-work .md-drop');
          if (kind === 'paste')
            document.body.dispatchEvent(new ClipboardEvent(kind, { clipboardData: data, bubbles: true }));
          else place?.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [buffer.toString('base64'), how] as const,
      );
    await give('paste');
    await waitForText(page, 'paste.png');
    await give('drop');
    await waitForText(page, 'drop.png');

    await press(page, say.translate);
    await waitForText(page, say.network);
    await waitForText(page, say.once);
    await press(page, say.retry);
    await page.getByRole('img', { name: say.drawn }).waitFor();
    expect(keys[0]).toBeDefined();
    expect(keys[1]).toBe(keys[0]);
    expect((await ownQuota(member)).usableImageNum).toBe(TRIAL - 1);
  });
});
