import { afterAll, beforeAll } from '@jest/globals';
import { demoMain, newChild, removeChildren, signIn } from './family.js';
import { CHROMIUM } from './places.js';
import { newMember, type SignedIn } from './signed-in.js';

type DemoFamily = {
  /** The demo's main account. */
  readonly main: SignedIn;
  /** A sub-account of it that nobody else uses; it leaves with the file. */
  sub: () => Promise<SignedIn>;
  /** Somebody of this kind that nobody else uses. */
  someone: (kind: 'main' | 'sub') => Promise<SignedIn>;
};

/** The demo account and new sub-accounts of it, for journeys that need both kinds of account; called at the top of a file. */
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
    someone: (kind) => (kind === 'main' ? newMember() : sub()),
  };
}
