import { beforeAll } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { newChild, type Child } from './family.js';
import { placed } from './orders.js';
import { accountOf, payAtCashier } from './shop.js';
import { newMember, type SignedIn } from './signed-in.js';

/** Where the sub-accounts are. */
export const PAGE = '/UserCenterChild';

type Family = {
  readonly main: SignedIn;
  /** A new sub-account of it. */
  child: () => Promise<Child>;
};

/** A family of the file's own, with two sub-accounts for lists to choose among; called at the top of a file. */
export function withFamily(): Family {
  let main: SignedIn | undefined;
  const founded = (): SignedIn => {
    if (!main) throw new Error('the family is not founded yet');
    return main;
  };
  beforeAll(async () => {
    main = await buyer();
    for (let i = 0; i < 2; i++) await newChild(main);
  });
  return {
    get main() {
      return founded();
    },
    child: () => newChild(founded()),
  };
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 200;

/** A new member who has bought a package that includes sub-accounts. */
async function buyer(): Promise<SignedIn> {
  const member = await newMember();
  const { orderNo, plan } = await placed(member);
  await payAtCashier(orderNo);
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    if ((await accountOf(member)).memberGroupId === plan.id) return member;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`order ${orderNo} was paid, and its package did not arrive`);
}

export const row = (page: Page, account: string): Locator => page.locator('.ant-table-row', { hasText: account });

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
