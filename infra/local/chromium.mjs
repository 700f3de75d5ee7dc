// The browser of the browser journeys: CHROMIUM_PATH, one on PATH, or, for root on Debian, the package. The headless shell is
// preferred, because journeys take half the CPU time in it; without it any Chromium will do.
import { runTool } from './lifecycle.mjs';
import { isRoot, onPath } from './project.mjs';

const shell = 'chromium-headless-shell';
const findShell = () => process.env.CHROMIUM_PATH || onPath(shell);
const find = () => findShell() || onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');

/** @returns {Promise<{path?: string, reason?: string}>} the executable, or why there is none */
export async function provideChromium() {
  const [best, found] = [findShell(), find()];
  if (best) return { path: best };
  if (!isRoot || !onPath('apt-get')) return found ? { path: found } : { reason: whyNot() };
  const failure = found ? await install([await matchingShell()]) : await installAny();
  const path = find();
  return path ? { path } : { reason: `apt-get could not install chromium ${failure}` };
}

const whyNot = () =>
  onPath('apt-get')
    ? 'there is no chromium, and only root may install it (or set CHROMIUM_PATH)'
    : 'there is no chromium, and no apt-get to bring it';

/** The headless shell in the version of the installed Chromium, which must not be changed. */
async function matchingShell() {
  const { code, output } = await runTool('dpkg-query', ['-W', '-f', '${Version}', 'chromium']);
  return code === 0 && output.trim() ? `${shell}=${output.trim()}` : shell;
}

/** Debian has the headless shell; its derivatives may have only Chromium. */
async function installAny() {
  const fonts = 'fonts-noto-cjk';
  return (await install([shell, fonts])) && (await install(['chromium', fonts]));
}

/** @returns {Promise<string | undefined>} the reason for a failure */
async function install(packages) {
  const options = ['-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=240'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const attempt = () => runTool('apt-get', ['install', ...options, ...packages], { env });
  let { code, output } = await attempt();
  if (code !== 0) {
    await runTool('apt-get', ['update', '-qq', '-o', 'DPkg::Lock::Timeout=240'], { env });
    ({ code, output } = await attempt());
  }
  return code === 0 ? undefined : `(${code}): ${output.trim().split('\n').at(-1)}`;
}
