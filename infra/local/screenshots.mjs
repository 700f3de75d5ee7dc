// npm run screenshots: the pictures of the README and of docs/pages.md, from the product with its demo account, made anew each time.
// They are for people to look at; no test compares them. BASE_URL with DEMO_ACCOUNT and DEMO_PASSWORD: from a product that runs already.
import fs from 'node:fs';
import path from 'node:path';
import { findApertium, installApertium } from './apertium.mjs';
import { provideChromium } from './chromium.mjs';
import { Failure } from './failure.mjs';
import { installDependencies } from './install.mjs';
import { installMedia } from './media.mjs';
import { dataDirOf, root } from './project.mjs';
import { runSession } from './session.mjs';
import { picturesOf } from './screenshots/pictures.mjs';
import { startStack } from './stack.mjs';

const dataDir = path.join(dataDirOf(), 'screenshots');
const outDir = path.join(root, 'docs/screenshots');
const LIMIT_BYTES = 10_000_000;

process.exitCode = await runSession({ title: 'npm run screenshots', dataDir }, async (session) => {
  const { steps, onEnd } = session;
  console.log('\nTaking pictures\n');
  const chromium = await provideChromium();
  if (!chromium.path) throw new Failure(`no browser: ${chromium.reason}`);
  await steps.run('dependencies', () => installDependencies(dataDir));
  const product = (await givenProduct()) ?? (await ownProduct(session));
  const fresh = path.join(dataDir, 'fresh');
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.mkdirSync(fresh, { recursive: true });
  await steps.run(
    'pictures',
    async () => `${await picturesOf({ ...product, executablePath: chromium.path, dir: fresh, onEnd })}`,
  );
  const bytes = fs.readdirSync(fresh).reduce((sum, name) => sum + fs.statSync(path.join(fresh, name)).size, 0);
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  if (bytes > LIMIT_BYTES) throw new Failure(`the pictures have ${size}, and 10 MB are allowed; the old ones stay`);
  // All or none: what is there is replaced when the new ones are complete.
  fs.rmSync(outDir, { recursive: true, force: true });
  fs.cpSync(fresh, outDir, { recursive: true });
  steps.end();
  console.log(`\n${path.relative(root, outDir)}: ${size}`);
  return 0;
});

/** One that runs already. */
function givenProduct() {
  const { BASE_URL: url, DEMO_ACCOUNT: account = 'demo', DEMO_PASSWORD: password } = process.env;
  return url && password ? { url, demo: { account, password } } : undefined;
}

/** One of its own, with empty stores and the demo account. */
async function ownProduct({ folder, steps, toolsDir, onEnd }) {
  await steps.run('offline engines', async () => {
    if (!findApertium(toolsDir)) await installApertium(toolsDir);
    await installMedia(toolsDir);
  });
  const onStack = (stack) => onEnd(() => stack.stop());
  const stack = await startStack({ dataDir, folder, toolsDir, steps, given: {}, fresh: true, durable: false, onStack });
  return { url: stack.urls.api, demo: stack.demo };
}
