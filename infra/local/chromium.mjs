// The browser of the browser journeys: CHROMIUM_PATH, one on PATH, or, for root on Debian, the package.
import { runTool } from './processes.mjs';
import { isRoot, onPath } from './project.mjs';

const find = () =>
  process.env.CHROMIUM_PATH || onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');

/** @returns {Promise<{path?: string, reason?: string}>} the executable, or why there is none */
export async function provideChromium() {
  const found = find();
  if (found) return { path: found };
  if (!onPath('apt-get')) return { reason: 'there is no chromium, and no apt-get to bring it' };
  if (!isRoot) return { reason: 'there is no chromium, and only root may install it (or set CHROMIUM_PATH)' };
  const wait = ['-o', 'DPkg::Lock::Timeout=240'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () => {
    const args = ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'];
    return runTool('apt-get', [...wait, ...args], { env });
  };
  let { code, output } = await install();
  if (code !== 0) {
    await runTool('apt-get', [...wait, 'update', '-qq'], { env });
    ({ code, output } = await install());
  }
  const path = find();
  return path
    ? { path }
    : { reason: `apt-get could not install chromium (${code}): ${output.trim().split('\n').at(-1)}` };
}
