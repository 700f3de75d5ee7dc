// The gateway of others that part vendors of the bench is compared with: fetched with npm below DATA_DIR when the bench runs, because
// nobody else needs its 25 MB.
import fs from 'node:fs';
import path from 'node:path';
import { writableCache } from './install.mjs';
import { runTool } from './processes.mjs';
import { pathWithoutProject } from './project.mjs';

const PACKAGE = '@portkey-ai/gateway';
const VERSION = '1.15.2';

/** @returns {Promise<{program?: string, reason?: string}>} the program, or why there is none */
export async function provideGateway(toolsDir) {
  const dir = path.join(toolsDir, `gateway-${VERSION}`);
  const program = path.join(dir, 'node_modules', PACKAGE, 'build/start-server.js');
  // npm writes this last.
  const isThere = () => fs.existsSync(path.join(dir, 'node_modules/.package-lock.json')) && fs.existsSync(program);
  if (isThere()) return { program };
  fs.mkdirSync(dir, { recursive: true });
  const args = [
    'install',
    '--prefix',
    dir,
    '--ignore-scripts',
    '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const env = { ...process.env, PATH: pathWithoutProject(), ...writableCache(toolsDir) };
  const { code, output } = await runTool('npm', [...args, `${PACKAGE}@${VERSION}`], { cwd: dir, env });
  return code === 0 && isThere()
    ? { program }
    : { reason: output.trim().split('\n').at(-1) || `npm ended with ${code}` };
}
