/** Members in the operator console: found, opened, revealed, changed, and viewed read-only in a window of its own (operators §10). */
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { newMember, waitForNoDialog } from './support/members.js';
import { newOperator, openOperators } from './support/operators.js';

const REASON = 'compensation for the outage of Tuesday';

const SAYS = {
  zh: {
    list: '会员',
    search: '找会员',
    find: '查找会员和页面',
    identity: '身份',
    sessions: '会话',
    reveal: '显示',
    adjust: '调整额度',
    adjustNow: '调整',
    chars: '字符',
    reason: '原因',
    willRead: (by: string) => `系统调整：增加 500 字符（管理员 ${by}，原因：${REASON}）`,
    secondPerson: '需要第二个人。',
    submitApproval: '提交审批',
    requested: /已提交审批，编号 \d+/,
    signOutAll: '全部退出',
    signedOut: '现在没有登录',
    disable: '停用',
    enable: '启用',
    viewAs: '以会员身份看',
    onlyRoles: /只有.+可以/,
    view: '以会员身份查看，只读',
  },
  en: {
    list: 'Members',
    search: 'Find a member',
    find: 'Find members and pages',
    identity: 'Identity',
    sessions: 'Sessions',
    reveal: 'Show',
    adjust: 'Adjust',
    adjustNow: 'Adjust',
    chars: 'Characters',
    reason: 'Reason',
    willRead: (by: string) => new RegExp(`500 characters.*${by}.*${REASON}`),
    secondPerson: 'This takes a second person.',
    submitApproval: 'Submit for approval',
    requested: /Submitted for approval as \d+/,
    signOutAll: 'Sign out everywhere',
    signedOut: 'Signed in nowhere',
    disable: 'Disable',
    enable: 'Enable',
    viewAs: 'View as member',
    onlyRoles: /Only for .+/,
    view: 'Viewing as this member, read-only',
  },
} as const;

const WIDTHS = [1440, 1280, 1024, 390];
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

describe.each(['zh', 'en'] as const)('members in %s', (language) => {
  const inTurn = journeysInTurn(language);
  const say = SAYS[language];
  withBrowser();

  const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
  const dialogOf = (page: Page): Locator => page.getByRole('dialog');
  /** Gives the reason in the open dialog and presses its button. */
  const confirm = async (page: Page, name: string): Promise<void> => {
    await dialogOf(page).getByLabel(say.reason).fill(REASON);
    await button(dialogOf(page), name).click();
  };

  journey('the list begins anew by its own link, and forgets the words of before', async () => {
    const page = await openOperators('/members', { operator: await newOperator('support'), language });
    const field = page.getByLabel(say.search, { exact: true });
    await field.fill('nobody');
    await page.waitForURL(({ searchParams }) => searchParams.get('query') === 'nobody');
    await page.getByRole('navigation').getByRole('link', { name: say.list, exact: true }).click();
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.member-search input')?.value === '');
    await page.getByRole('link', { name: /#\d+$/ }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    // Both at once: the state, and the words that have not come to rest.
    await field.fill('nobody');
    await page.getByRole('group').getByRole('button').first().click();
    await page.waitForURL(({ searchParams }) => searchParams.get('query') === 'nobody' && searchParams.has('status'));
  });

  inTurn('a member is found by part of the address, opened, revealed, adjusted, signed out and disabled', async () => {
    const operator = await newOperator('support');
    const member = await newMember();
    const page = await openOperators('/members', { operator, language });
    await page.getByRole('heading', { level: 1, name: say.list, exact: true }).waitFor();
    await page.getByLabel(say.search, { exact: true }).fill(member.email.slice(3, 13));
    await page.waitForURL(({ searchParams }) => searchParams.get('query') === member.email.slice(3, 13));
    const row = page.getByRole('row', { name: member.username });
    await row.getByText('te***@example.com').waitFor();
    expect(await page.content()).not.toContain(member.email);
    expect(await seriousViolations(page)).toEqual([]);
    await expectNoSidewaysScroll(page);

    await row.getByRole('link', { name: member.username }).click();
    await page.getByRole('heading', { level: 1, name: member.username }).waitFor();
    const identity = page.getByRole('region', { name: say.identity, exact: true });
    await identity.getByText('te***@example.com').waitFor();
    expect(await page.content()).not.toContain(member.email);
    expect(await seriousViolations(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await button(identity, say.reveal).click();
    await identity.getByText(member.email).waitFor();

    await button(page, say.adjust).click();
    await dialogOf(page).getByRole('spinbutton', { name: say.chars }).fill('500');
    await dialogOf(page).getByLabel(say.reason).fill(REASON);
    await dialogOf(page).getByText(say.willRead(operator.name)).waitFor();
    await button(dialogOf(page), say.adjustNow).click();
    await waitForNoDialog(page);
    const balance = page.getByRole('region', { name: say.chars, exact: true });
    await balance.getByText(/^5,500/).waitFor();

    await button(page, say.adjust).click();
    await dialogOf(page).getByRole('spinbutton', { name: say.chars }).fill('200000');
    await dialogOf(page).getByText(say.secondPerson).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await confirm(page, say.submitApproval);
    await page.getByText(say.requested).waitFor();
    await waitForNoDialog(page);
    await balance.getByText(/^5,500/).waitFor();

    await button(page, say.signOutAll).click();
    await confirm(page, say.signOutAll);
    await waitForNoDialog(page);
    await page.getByRole('region', { name: say.sessions, exact: true }).getByText(say.signedOut).waitFor();

    await button(page, say.disable).click();
    await confirm(page, say.disable);
    await waitForNoDialog(page);
    await button(page, say.enable).click();
    await confirm(page, say.enable);
    await waitForNoDialog(page);
    await button(page, say.disable).waitFor();
  });

  inTurn('the console of a member opens read-only in a window of its own', async () => {
    const operator = await newOperator('support');
    const member = await newMember();
    const page = await openOperators(`/members/${member.userId}`, { operator, language });
    const [view] = await Promise.all([page.context().waitForEvent('page'), button(page, say.viewAs).click()]);
    const bar = view.getByRole('complementary', { name: say.view });
    await bar.getByText(operator.name).waitFor();
    await view.getByText(member.username).first().waitFor();
    expect(view.url()).not.toContain('view=');
    expect(await view.evaluate(() => window.opener === null && document.referrer === '')).toBe(true);
    await view.reload();
    await bar.waitFor();
  });

  inTurn('Ctrl K finds members and pages, and a viewer is told who may change a member', async () => {
    const member = await newMember();
    const page = await openOperators('/', { operator: await newOperator('viewer'), language });
    await page.locator('h1').first().waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: say.find });
    await field.fill(member.username);
    await page.getByRole('option', { name: member.username }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: member.username }).waitFor();
    const disabled = button(page, say.disable);
    expect(await disabled.isDisabled()).toBe(true);
    await disabled.locator('..').hover();
    await page.getByRole('tooltip').getByText(say.onlyRoles).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill(say.list);
    await page.getByRole('option', { name: say.list }).last().click();
    await page.getByRole('heading', { level: 1, name: say.list, exact: true }).waitFor();
  });
});
