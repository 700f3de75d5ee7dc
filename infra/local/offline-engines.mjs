// The offline engines, from the system or unpacked under DATA_DIR: Apertium for text (7 languages, 12 direct pairs);
// Tesseract, FFmpeg, PocketSphinx, eSpeak NG and fonts for pictures and recordings.
import fs from 'node:fs';
import path from 'node:path';
import { hasDebianTools, unpackPackages, unpackedEnv } from './debian.mjs';
import { runTool } from './lifecycle.mjs';

const apertiumPackages = ['apertium', 'apertium-lex-tools', 'apertium-eng-spa', 'apertium-es-pt', 'apertium-fr-es'];
// apertium-spa-cat runs cg-proc and does not declare it
apertiumPackages.push('apertium-spa-ita', 'apertium-spa-cat', 'apertium-eo-en', 'cg3');
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

const ocrLanguages = ['eng', 'chi-sim', 'chi-tra', 'jpn', 'kor', 'spa', 'por', 'fra', 'ita', 'cat', 'deu', 'rus'];
export const mediaPackages = [
  'tesseract-ocr',
  ...ocrLanguages.map((language) => `tesseract-ocr-${language}`),
  'ffmpeg',
  'pocketsphinx',
  'pocketsphinx-en-us',
  'espeak-ng',
  // Chinese, Japanese and Korean; and the other scripts that a picture may be redrawn in
  'fonts-wqy-zenhei',
  'fonts-noto-core',
];
const mediaPrograms = ['tesseract', 'ffmpeg', 'ffprobe', 'pocketsphinx_continuous', 'espeak-ng'];
const tessdata = 'usr/share/tesseract-ocr/5/tessdata';

const hasApertium = (dir) =>
  fs.existsSync(path.join(dir, 'usr/bin/apertium-wblank-mode')) &&
  modes.every((mode) => fs.existsSync(path.join(dir, 'usr/share/apertium/modes', `${mode}.mode`)));

const hasMedia = (dir) =>
  mediaPrograms.every((name) => fs.existsSync(path.join(dir, 'usr/bin', name))) &&
  ocrLanguages.every((name) => fs.existsSync(path.join(dir, tessdata, `${name.replace('-', '_')}.traineddata`))) &&
  fs.existsSync(path.join(dir, 'usr/share/pocketsphinx/model/en-us/en-us'));

/** Prefix of the installed engine: '/' for the system's, a folder under DATA_DIR, or undefined. */
function findApertium(toolsDir) {
  if (hasApertium('/')) return '/';
  const own = path.join(toolsDir, 'apertium');
  // the mode files contain their absolute path: a moved checkout has to unpack them again
  const isHere = fs.existsSync(marker(own)) && fs.readFileSync(marker(own), 'utf8') === own;
  return isHere && hasApertium(own) ? own : undefined;
}

const findMedia = (toolsDir) => ['/', path.join(toolsDir, 'media')].find(hasMedia);

/** Where the api looks for the engines, installed or not yet. */
export const engineEnv = (toolsDir) => ({
  APERTIUM_DIR: process.env.APERTIUM_DIR || findApertium(toolsDir) || path.join(toolsDir, 'apertium'),
  MEDIA_DIR: process.env.MEDIA_DIR || findMedia(toolsDir) || path.join(toolsDir, 'media'),
});

const marker = (dir) => path.join(dir, '.unpacked-for');
const failureFile = (toolsDir, name) => path.join(toolsDir, `${name}.failed`);

/** Whether the last installation of one of the engines failed. */
export const lastInstallFailed = (toolsDir) =>
  ['apertium', 'media'].some((name) => fs.existsSync(failureFile(toolsDir, name)));

/** Runs `install` and keeps a note of its failure for the next start. */
async function recordFailure(toolsDir, name, install) {
  try {
    return await install();
  } catch (error) {
    fs.mkdirSync(toolsDir, { recursive: true });
    fs.writeFileSync(failureFile(toolsDir, name), `${new Date().toISOString()}\n${error.message}\n`);
    throw error;
  }
}

/** Both of them, one after the other: apt does not run twice at once. */
export async function installEngines(toolsDir) {
  await ensureApertium(toolsDir);
  await installMedia(toolsDir);
}

/** @returns {Promise<string>} the engine's prefix; one that is installed is not tried again */
export const ensureApertium = async (toolsDir) => findApertium(toolsDir) ?? (await installApertium(toolsDir)).dir;

/**
 * Makes the text engine available and tries it with a real translation.
 * @returns {Promise<{dir: string, sample: string}>}
 * @throws Error with the reason
 */
export function installApertium(toolsDir) {
  return recordFailure(toolsDir, 'apertium', async () => {
    const found = findApertium(toolsDir);
    if (found) return { dir: found, sample: await translateSample(found) };
    if (!hasDebianTools()) throw new Error('this system has no apt-get; the engine comes as Debian or Ubuntu packages');
    const dir = path.join(toolsDir, 'apertium');
    await unpackPackages({ packages: apertiumPackages, dir, finish: (work) => rewriteModes(work, dir) });
    try {
      const sample = await translateSample(dir);
      fs.rmSync(failureFile(toolsDir, 'apertium'), { force: true });
      return { dir, sample };
    } catch (error) {
      fs.rmSync(dir, { recursive: true, force: true });
      throw error;
    }
  });
}

function rewriteModes(work, dir) {
  const folder = path.join(work, 'usr/share/apertium/modes');
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replaceAll('/usr/share/apertium', path.join(dir, 'usr/share/apertium')));
  }
  fs.writeFileSync(marker(work), dir);
}

/** One sentence through the same pipeline that the api keeps open; apertium-wblank-mode prints it. */
async function translateSample(dir) {
  const env = dir === '/' ? process.env : unpackedEnv(dir);
  const mode = path.join(dir, 'usr/share/apertium/modes/eng-spa.mode');
  const pipeline = await runTool('apertium-wblank-mode', [mode], { env });
  if (pipeline.code !== 0) throw new Error(`apertium-wblank-mode: ${pipeline.output}`);
  const script = `set -o pipefail; ${pipeline.output}`;
  const input = 'The house is big.[][]\n';
  const { code, output } = await runTool('bash', ['-c', script, 'apertium', '-n', ''], { env, input });
  const text = output.replace(/\[\]/g, '').trim();
  if (code !== 0 || !/casa/.test(text)) throw new Error(`the engine's trial translation failed: ${output}`);
  return text;
}

/**
 * Makes the media programs available and tries each once.
 * @returns {Promise<string>} their prefix
 * @throws Error with the reason
 */
export function installMedia(toolsDir) {
  return recordFailure(toolsDir, 'media', async () => {
    const found = findMedia(toolsDir);
    if (found) return found;
    if (!hasDebianTools())
      throw new Error('this system has no apt-get; the programs come as Debian or Ubuntu packages');
    const dir = path.join(toolsDir, 'media');
    await unpackPackages({ packages: mediaPackages, dir, finish: tryMediaPrograms });
    if (!hasMedia(dir)) throw new Error('the packages were unpacked, yet a program is missing');
    fs.rmSync(failureFile(toolsDir, 'media'), { force: true });
    return dir;
  });
}

/** A missing library shows here, not when the first member needs the program. */
async function tryMediaPrograms(dir) {
  const env = unpackedEnv(dir);
  for (const [name, ...args] of [
    ['tesseract', '--version'],
    ['ffmpeg', '-version'],
    ['ffprobe', '-version'],
    ['espeak-ng', '--version'],
    ['pocketsphinx_continuous', '-argfile', '/dev/null'],
  ]) {
    const { code, output } = await runTool(name, args, { env });
    if (code !== 0 && !output.includes("Specify '-infile")) throw new Error(`${name}: ${output.slice(0, 300)}`);
  }
}
