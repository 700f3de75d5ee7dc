// What reads pictures and recordings offline: Tesseract, FFmpeg, PocketSphinx, eSpeak NG and fonts, from the system or unpacked under DATA_DIR.
import fs from 'node:fs';
import path from 'node:path';
import { hasDebianTools, unpackPackages, unpackedEnv } from './debian.mjs';
import { runTool } from './processes.mjs';

const ocrLanguages = ['eng', 'chi-sim', 'chi-tra', 'jpn', 'kor', 'spa', 'por', 'fra', 'ita', 'cat', 'deu', 'rus'];
export const mediaPackages = [
  'tesseract-ocr',
  ...ocrLanguages.map((language) => `tesseract-ocr-${language}`),
  ...['ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us', 'espeak-ng'],
  // Chinese, Japanese and Korean; and the other scripts that a picture may be redrawn in
  ...['fonts-wqy-zenhei', 'fonts-noto-core'],
];

const programs = ['tesseract', 'ffmpeg', 'ffprobe', 'pocketsphinx_continuous', 'espeak-ng'];
const tessdata = 'usr/share/tesseract-ocr/5/tessdata';

const isComplete = (dir) =>
  programs.every((name) => fs.existsSync(path.join(dir, 'usr/bin', name))) &&
  ocrLanguages.every((name) => fs.existsSync(path.join(dir, tessdata, `${name.replace('-', '_')}.traineddata`))) &&
  fs.existsSync(path.join(dir, 'usr/share/pocketsphinx/model/en-us/en-us'));

const failed = (toolsDir) => path.join(toolsDir, 'media.failed');

/** Prefix of the installed programs: '/' for the system's, a folder of ours, or undefined. */
export function findMedia(toolsDir) {
  return ['/', path.join(toolsDir, 'media')].find(isComplete);
}

/** Where the api shall look, installed or not yet. */
export const mediaDir = (toolsDir) => process.env.MEDIA_DIR || findMedia(toolsDir) || path.join(toolsDir, 'media');

export const lastMediaInstallFailed = (toolsDir) => fs.existsSync(failed(toolsDir));

/**
 * Makes them available and tries each once.
 * @returns {Promise<string>} their prefix
 * @throws Error saying why it could not
 */
export async function installMedia(toolsDir) {
  try {
    const found = findMedia(toolsDir);
    if (found) return found;
    if (!hasDebianTools())
      throw new Error('this system has no apt-get; the programs come as Debian or Ubuntu packages');
    const dir = path.join(toolsDir, 'media');
    await unpackPackages({ packages: mediaPackages, dir, finish: tryAll });
    if (!isComplete(dir)) throw new Error('the packages were unpacked, yet a program is missing');
    fs.rmSync(failed(toolsDir), { force: true });
    return dir;
  } catch (error) {
    fs.mkdirSync(toolsDir, { recursive: true });
    fs.writeFileSync(failed(toolsDir), `${new Date().toISOString()}\n${error.message}\n`);
    throw error;
  }
}

/** A program that lacks a library says so here, not to the first member who needs it. */
async function tryAll(dir) {
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
