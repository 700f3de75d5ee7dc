/** Two persons: one asks, another approves with a code; the action log, and who may do what (operators §3–§5). */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { newOperator, openOperators, totpOf, type SignedInOperator } from './support/operators.js';

const SAYS = {
  zh: {
    operators: '操作员',
    changeRole: '改角色',
    newRole: '新角色',
    support: '客服',
    reason: '原因',
    submit: '提交审批',
    asked: /已提交审批/,
    approvals: '审批',
    waiting: '等待中',
    roleTitle: '改角色：只读 → 客服',
    own: '不能决定自己的申请',
    withdraw: '撤回申请',
    decisionReason: '理由',
    code: '一次性验证码',
    approve: '批准并执行',
    reject: '驳回，写明理由',
    approved: '已批准并执行',
    used: '这个动态码已经用过，请等待下一个',
    rejected: '驳回',
    decided: '最近决定的',
    done: '批准',
    log: '操作日志',
    approvedRow: '批准：改角色',
    target: '对象',
    search: '查询',
    verify: '验证链',
    whole: /条操作，链完整/,
    matrix: '谁能做什么',
    twoPersons: '两人',
  },
  en: {
    operators: 'Operators',
    changeRole: 'Change role',
    newRole: 'New role',
    support: 'Support',
    reason: 'Reason',
    submit: 'Submit for approval',
    asked: /Submitted for approval/,
    approvals: 'Approvals',
    waiting: 'Waiting',
    roleTitle: 'Role: Viewer → Support',
    own: 'Nobody decides their own request',
    withdraw: 'Withdraw the request',
    decisionReason: 'Your reason',
    code: 'One-time code',
    approve: 'Approve and carry out',
    reject: 'Reject',
    approved: 'Approved and carried out',
    used: 'This code was already used. Wait for the next one.',
    rejected: 'Rejected',
    decided: 'Decided lately',
    done: 'Approved',
    log: 'Action log',
    approvedRow: 'Approved: Role changed',
    target: 'Target',
    search: 'Search',
    verify: 'Verify the chain',
    whole: /the chain is whole/,
    matrix: 'Who may do what',
    twoPersons: 'Two',
  },
} as const;

/** Until the page, which follows a new width in the next frames, does not scroll sideways. */
const untilItFits = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

async function expectToFit(page: Page): Promise<void> {
  expect(await seriousViolations(page)).toEqual([]);
  for (const width of [1280, 1024, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await untilItFits(page);
  }
}

/** A code that has not been used: enrolling took the one of its 30 seconds. */
async function freshCode({ secret }: SignedInOperator, but: string): Promise<string> {
  for (;;) {
    const code = totpOf(secret);
    if (code !== but) return code;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

describe.each(['zh', 'en'] as const)('approvals in %s', (language) => {
  const inTurn = journeysInTurn(language);
  const say = SAYS[language];
  withBrowser();

  journey('one operator asks, another approves with a code, and it is carried out', async () => {
    const [maker, checker, target] = [
      await newOperator('owner'),
      await newOperator('finance'),
      await newOperator('viewer'),
    ];
    const enrolled = totpOf(checker.secret);
    const decides = await openOperators('/approvals', { operator: checker, language });
    await decides.getByRole('heading', { level: 1, name: say.approvals }).waitFor();

    const asks = await openOperators('/operators', { operator: maker, language });
    await asks.getByRole('row', { name: target.name }).getByRole('button', { name: say.changeRole }).click();
    await asks.getByLabel(say.newRole).click();
    await asks.locator('.ant-select-item-option').getByText(say.support, { exact: true }).click();
    await asks.getByLabel(say.reason).fill('they passed their probation');
    await asks.getByRole('button', { name: say.submit }).click();
    await asks.getByText(say.asked).waitFor();

    // The other page hears of it by itself.
    const waiting = decides.getByRole('link', { name: target.name });
    await waiting.waitFor({ timeout: 3_000 });
    await waiting.click();
    const panel = decides.locator('.approvals-one');
    await panel.getByRole('heading', { name: say.roleTitle }).waitFor();
    await decides
      .locator('.rail')
      .getByRole('link', { name: new RegExp(`${say.approvals}\\s*\\d`) })
      .waitFor();
    await expectToFit(decides);

    // The maker's own page says that somebody else decides.
    await asks.goto(decides.url());
    await asks.getByText(say.own).waitFor();
    await asks.getByRole('button', { name: say.withdraw }).waitFor();
    expect(await asks.getByRole('button', { name: say.approve }).count()).toBe(0);
    const id = new URL(decides.url()).pathname.split('/').at(-1) ?? '';
    await expect(maker.post(`/requests/${id}/approve`, { reason: 'my own' })).rejects.toThrow();

    const approve = panel.getByRole('button', { name: say.approve });
    expect(await approve.isDisabled()).toBe(true);
    await panel.getByLabel(say.decisionReason).fill('seen with them');
    await panel.getByLabel(say.code).fill(await freshCode(checker, enrolled));
    await approve.click();
    await decides.getByText(say.approved, { exact: true }).waitFor();
    await decides.getByRole('region', { name: say.decided }).getByRole('link', { name: target.name }).waitFor();
    // The maker's page follows.
    await asks.locator('.approvals-one').getByText(say.done, { exact: true }).waitFor({ timeout: 3_000 });

    await asks.goto(new URL('/operators', asks.url()).href);
    await asks.getByRole('row', { name: target.name }).getByRole('cell', { name: say.support, exact: true }).waitFor();
    await asks.getByRole('region', { name: say.matrix }).getByText(say.twoPersons, { exact: true }).first().waitFor();
    await expectToFit(asks);
    await asks.goto(new URL('/actions', asks.url()).href);
    await asks.getByRole('heading', { level: 1, name: say.log }).waitFor();
    await asks.getByLabel(say.target).fill(target.name);
    await asks.getByRole('button', { name: say.search }).click();
    await asks.getByRole('row', { name: say.approvedRow }).waitFor();
    await asks.getByRole('button', { name: say.verify }).click();
    await asks.getByText(say.whole).waitFor();
    await expectToFit(asks);
  });

  inTurn('a used code decides nothing; a rejected request changes nothing', async () => {
    const [maker, checker, target] = [
      await newOperator('owner'),
      await newOperator('owner'),
      await newOperator('viewer'),
    ];
    const ask = (kind: string, payload: object): Promise<{ id: number }> =>
      maker.post('/requests', { kind, target: target.name, payload, reason: 'the probation has ended' });
    const [first, second] = [await ask('operator.changeRole', { role: 'support' }), await ask('operator.end', {})];
    const enrolled = totpOf(checker.secret);
    const page = await openOperators(`/approvals/${first.id}`, { operator: checker, language });
    const panel = page.locator('.approvals-one');
    const decide = async (button: string, code: string): Promise<void> => {
      await panel.getByLabel(say.decisionReason).fill('they stay with us');
      await panel.getByLabel(say.code).fill(code);
      await panel.getByRole('button', { name: button }).click();
    };
    const rejected = panel.locator('.state').getByText('they stay with us');
    const code = await freshCode(checker, enrolled);
    await decide(say.reject, code);
    await rejected.waitFor();
    await page.goto(new URL(`/approvals/${second.id}`, page.url()).href);
    await decide(say.approve, code);
    await panel.getByText(say.used).waitFor();
    await decide(say.reject, await freshCode(checker, code));
    await rejected.waitFor();
    await page.goto(new URL('/operators', page.url()).href);
    await page.getByRole('row', { name: target.name }).getByRole('button', { name: say.changeRole }).waitFor();
  });
});
