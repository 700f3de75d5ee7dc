// The browser of the browser journeys: CHROMIUM_PATH, one on PATH, or, for root on Debian, the package.
// Wanted is the shell of Chromium, which has no windows to draw: journeys take half the processor time. Without it any Chromium does.
import { runTool } from './processes.mjs';
import { isRoot, onPath } from './project.mjs';

const shell = 'chromium-headless-shell';
const findShell = () => process.env.CHROMIUM_PATH || onPath(shell);
const find = () => findShell() || onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');

/** @returns {Promise<{path?: string, reason?: string}>} the executable, or why there is none */
export async function provideChromium() {
  const [best, found] = [findShell(), find()];
  if (best) return { path: best };
  if (!isRoot || !onPath('apt-get')) return found ? { path: found } : { reason: whyNot() };
  const failure = found ? await install([await shellBeside()]) : await installAny();
  const path = find();
  return path ? { path } : { reason: `apt-get could not install chromium ${failure}` };
}

const whyNot = () =>
  onPath('apt-get')
    ? 'there is no chromium, and only root may install it (or set CHROMIUM_PATH)'
    : 'there is no chromium, and no apt-get to bring it';

/** The shell in the version of the Chromium that is there, which is not to be changed. */
async function shellBeside() {
  const { code, output } = await runTool('dpkg-query', ['-W', '-f', '${Version}', 'chromium']);
  return code === 0 && output.trim() ? `${shell}=${output.trim()}` : shell;
}

/** Debian has the shell; what is like Debian may have Chromium alone. */
async function installAny() {
  const fonts = 'fonts-noto-cjk';
  return (await install([shell, fonts])) && (await install(['chromium', fonts]));
}

/** @returns {Promise<string | undefined>} why it did not work */
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
