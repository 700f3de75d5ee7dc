// The offline translation engine's small set (7 languages, 12 direct pairs), from the system or unpacked under DATA_DIR.
import fs from 'node:fs';
import path from 'node:path';
import { hasDebianTools, unpackPackages, unpackedEnv } from './debian.mjs';
import { runTool } from './processes.mjs';

const packages = ['apertium', 'apertium-lex-tools', 'apertium-eng-spa', 'apertium-es-pt', 'apertium-fr-es'];
// apertium-spa-cat runs cg-proc and does not declare it
packages.push('apertium-spa-ita', 'apertium-spa-cat', 'apertium-eo-en', 'cg3');
const modes = [
  'eng-spa',
  'spa-eng',
  'es-pt',
  'pt-es',
  'fr-es',
  'es-fr',
  'spa-ita',
  'ita-spa',
  'spa-cat',
  'cat-spa',
  'eo-en',
];

const isComplete = (dir) =>
  fs.existsSync(path.join(dir, 'usr/bin/apertium-wblank-mode')) &&
  modes.every((mode) => fs.existsSync(path.join(dir, 'usr/share/apertium/modes', `${mode}.mode`)));

const marker = (dir) => path.join(dir, '.unpacked-for');
const failed = (toolsDir) => path.join(toolsDir, 'apertium.failed');

/** Prefix of the installed engine: '/' for the system's, a folder of ours, or undefined. */
export function findApertium(toolsDir) {
  if (isComplete('/')) return '/';
  const own = path.join(toolsDir, 'apertium');
  // the mode files name their own absolute place: a moved checkout needs them anew
  const isHere = fs.existsSync(marker(own)) && fs.readFileSync(marker(own), 'utf8') === own;
  return isHere && isComplete(own) ? own : undefined;
}

/** Where the api shall look, installed or not yet. */
export const apertiumDir = (toolsDir) =>
  process.env.APERTIUM_DIR || findApertium(toolsDir) || path.join(toolsDir, 'apertium');

export const lastInstallFailed = (toolsDir) => fs.existsSync(failed(toolsDir));

/**
 * Makes the engine available and proves it with one real translation.
 * @returns {Promise<{dir: string, sample: string}>}
 * @throws Error saying why it could not
 */
export async function installApertium(toolsDir) {
  try {
    const found = findApertium(toolsDir);
    if (found) return { dir: found, sample: await translateOnce(found) };
    if (!hasDebianTools()) throw new Error('this system has no apt-get; the engine comes as Debian or Ubuntu packages');
    const dir = path.join(toolsDir, 'apertium');
    await unpackPackages({ packages, dir, finish: (work) => pointModesAt(work, dir) });
    try {
      const sample = await translateOnce(dir);
      fs.rmSync(failed(toolsDir), { force: true });
      return { dir, sample };
    } catch (error) {
      fs.rmSync(dir, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    fs.mkdirSync(toolsDir, { recursive: true });
    fs.writeFileSync(failed(toolsDir), `${new Date().toISOString()}\n${error.message}\n`);
    throw error;
  }
}

function pointModesAt(work, dir) {
  const folder = path.join(work, 'usr/share/apertium/modes');
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replaceAll('/usr/share/apertium', path.join(dir, 'usr/share/apertium')));
  }
  fs.writeFileSync(marker(work), dir);
}

/** One sentence through the same pipeline the api keeps open (facts: apertium-wblank-mode prints it). */
async function translateOnce(dir) {
  const env = dir === '/' ? process.env : unpackedEnv(dir);
  const mode = path.join(dir, 'usr/share/apertium/modes/eng-spa.mode');
  const pipeline = await runTool('apertium-wblank-mode', [mode], { env });
  if (pipeline.code !== 0) throw new Error(`apertium-wblank-mode: ${pipeline.output}`);
  const script = `set -o pipefail; ${pipeline.output}`;
  const said = await runTool('bash', ['-c', script, 'apertium', '-n', ''], { env, input: 'The house is big.[][]\n' });
  const text = said.output.replace(/\[\]/g, '').trim();
  if (said.code !== 0 || !/casa/.test(text)) throw new Error(`the engine's trial translation failed: ${said.output}`);
  return text;
}
