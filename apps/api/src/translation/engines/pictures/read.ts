import { symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import type { Jobs, ReadLine, Word } from './jobs.js';

const require = createRequire(import.meta.url);

/** The languages whose data is installed by npm. */
const DATA = ['eng', 'chi_sim'];

let kept: { readonly languages: string; readonly worker: Promise<Worker> } | null = null;

/** Reads a picture with the built-in Tesseract, in the built-in languages. */
export async function read({ path: file, languages, sparse }: Jobs['read']['ask']): Promise<readonly ReadLine[]> {
  const worker = await workerFor(languages.filter((name) => DATA.includes(name)));
  await worker.setParameters({ tessedit_pageseg_mode: sparse ? PSM.SPARSE_TEXT : PSM.AUTO });
  const { data } = await worker.recognize(file, {}, { text: false, blocks: true });
  const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines: all }) => all));
  return lines.map(({ words, baseline, rowAttributes }) => ({
    words: words.map(({ bbox, text, confidence }): Word => {
      const { x0, y0, x1, y1 } = bbox;
      return { box: [x0, y0, x1 - x0, y1 - y0], text, confidence };
    }),
    height: rowAttributes.rowHeight > 0 ? rowAttributes.rowHeight : null,
    baseline: (baseline.y0 + baseline.y1) / 2,
    slope: (baseline.y1 - baseline.y0) / Math.max(1, baseline.x1 - baseline.x0),
    turned: 0,
  }));
}

async function workerFor(names: readonly string[]): Promise<Worker> {
  const languages = names.join('+');
  if (kept?.languages !== languages) {
    await kept?.worker.then((worker) => worker.terminate());
    kept = { languages, worker: start(names) };
  }
  return kept.worker;
}

/** Links the data into one folder under the expected names; otherwise it would be downloaded from the internet. */
async function start(names: readonly string[]): Promise<Worker> {
  const folder = process.env['PICTURES_DIR'] ?? tmpdir();
  for (const name of names) await symlink(dataOf(name), path.join(folder, `${name}.traineddata.gz`)).catch(isThere);
  const settings = { langPath: folder, gzip: true, cacheMethod: 'none', legacyCore: false, legacyLang: false };
  return createWorker([...names], OEM.LSTM_ONLY, settings);
}

const isThere = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
};

const dataOf = (name: string): string => {
  const folder = path.dirname(require.resolve(`@tesseract.js-data/${name}/package.json`));
  return path.join(folder, '4.0.0_best_int', `${name}.traineddata.gz`);
};
