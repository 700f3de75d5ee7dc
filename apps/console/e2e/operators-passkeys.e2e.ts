/** A passkey in place of password and code, in a browser with an authenticator (operators §2). */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, withBrowser } from './support/browser.js';
import { newOperator, openOperators } from './support/operators.js';

const SAYS = {
  zh: {
    add: '添加通行密钥',
    name: '名称',
    code: '一次性验证码',
    next: '继续',
    added: '已添加通行密钥',
    signIn: '用通行密钥登录',
    remove: (name: string) => `删除通行密钥“${name}”`,
    removed: '已删除通行密钥',
    button: '删除',
    stopped: '没有完成。请再试一次，或者用密码登录',
  },
  en: {
    add: 'Add a passkey',
    name: 'Name',
    code: 'One-time code',
    next: 'Continue',
    added: 'Passkey added',
    signIn: 'Sign in with a passkey',
    remove: (name: string) => `Remove the passkey “${name}”`,
    removed: 'Passkey removed',
    button: 'Remove',
    stopped: 'Not completed. Try again, or use your password.',
  },
} as const;

/** An authenticator in the browser, which verifies its user at once. */
async function plugIn(page: Page): Promise<{ unplug: () => Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    unplug: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
}

describe.each(['zh', 'en'] as const)('a passkey (%s)', (language) => {
  const say = SAYS[language];
  withBrowser();

  journey('is added, signs in without password and code, and is removed', async () => {
    const operator = await newOperator('viewer');
    const codes = operator.recoveryCodes.values();
    const page = await openOperators('/operators', { operator, language });
    const authenticator = await plugIn(page);
    await page.getByRole('button', { name: say.add }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say.name).fill('laptop');
    await dialog.getByLabel(say.code).fill(codes.next().value ?? '');
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: say.next }).click();
    await page.getByText(say.added).waitFor();

    await page.context().clearCookies();
    await page.goto(new URL('/sign-in?to=%2Foperators', page.url()).href);
    await page.getByRole('button', { name: say.signIn }).click();
    await page.waitForURL((url) => url.pathname === '/operators');
    await page.getByRole('button', { name: say.remove('laptop') }).click();
    await dialog.getByLabel(say.code).fill(codes.next().value ?? '');
    await dialog.getByRole('button', { name: say.button, exact: true }).click();
    await page.getByText(say.removed).waitFor();

    await authenticator.unplug();
    await plugIn(page);
    await page.context().clearCookies();
    await page.goto(new URL('/sign-in', page.url()).href);
    await page.getByRole('button', { name: say.signIn }).click();
    await page.getByText(say.stopped).waitFor();
  });
});
