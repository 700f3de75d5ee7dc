import { afterAll, beforeAll } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { demoMain, newChild, removeChildren, signIn, type Child } from './api.js';
import { CHROMIUM } from './environment.js';
import { newMember, type SignedIn } from './members.js';
import { createOrder } from './orders.js';
import { accountOf, payAtCashier } from './payment.js';

type DemoFamily = {
  /** The demo main account. */
  readonly main: SignedIn;
  /** A new sub-account of it, removed after the file. */
  sub: () => Promise<SignedIn>;
  /** A new account of this kind. */
  newAccount: (kind: 'main' | 'sub') => Promise<SignedIn>;
};

/** The demo account and new sub-accounts of it, for journeys that need both kinds of account; call it at the top of a file. */
export function withDemoFamily(): DemoFamily {
  let main: SignedIn | undefined;
  const children: string[] = [];
  const known = (): SignedIn => {
    if (!main) throw new Error('the demo account has not signed in yet');
    return main;
  };
  beforeAll(async () => {
    if (CHROMIUM) main = await demoMain();
  });
  afterAll(async () => {
    if (main) await removeChildren(main, children);
  });
  const sub = async (): Promise<SignedIn> => {
    const { account, password } = await newChild(known());
    children.push(account);
    return signIn(account, password);
  };
  return {
    get main() {
      return known();
    },
    sub,
    newAccount: (kind) => (kind === 'main' ? newMember() : sub()),
  };
}

/** The page of sub-accounts. */
export const PAGE = '/UserCenterChild';

type Family = {
  readonly main: SignedIn;
  /** A new sub-account of it. */
  child: () => Promise<Child>;
};

/** A main account with two sub-accounts for this file alone; call it at the top of a file. */
export function withFamily(): Family {
  let main: SignedIn | undefined;
  const existing = (): SignedIn => {
    if (!main) throw new Error('the family does not exist yet');
    return main;
  };
  beforeAll(async () => {
    main = await buyer();
    for (let i = 0; i < 2; i++) await newChild(main);
  });
  return {
    get main() {
      return existing();
    },
    child: () => newChild(existing()),
  };
}

/** A new main account with so many sub-accounts. */
export async function newFamily(count: number): Promise<{ main: SignedIn; children: Child[] }> {
  const main = await buyer();
  const children: Child[] = [];
  while (children.length < count) children.push(await newChild(main));
  return { main, children };
}

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 200;

/** A new member with a paid package that includes sub-accounts. */
async function buyer(): Promise<SignedIn> {
  const member = await newMember();
  const { orderNo, plan } = await createOrder(member);
  await payAtCashier(orderNo);
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline;) {
    if ((await accountOf(member)).memberGroupId === plan.id) return member;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`order ${orderNo} was paid, and its package did not arrive`);
}

export const row = (page: Page, account: string): Locator => page.locator('.ant-table-row', { hasText: account });

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
