// Suites in company: a test file loads all of its modules anew, which costs more than most files' tests. Several files in one share them.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/**
 * Deals the suites in `from` (a folder of the workspace, files named *.e2e.ts) out to `parts` files, which jest runs in their place: each
 * suite is a `describe` of its own, with its hooks and its databases as ever, and a failure says its name.
 * @param {object} options
 * @param {string} options.workspace
 * @param {string} options.from
 * @param {string[]} options.longest  suites that take longest, without ending: the parts that begin with them are begun first
 * @param {number} options.parts
 * @param {string} options.folder     for the files that are made
 * @returns {string[]} arguments for jest: the parts, and the specs beside what they are about
 */
export function together({ workspace, from, longest, parts, folder }) {
  const suites = suitesIn(path.join(root, workspace, from), longest);
  const dealt = Array.from({ length: Math.min(parts, suites.length) }, () => []);
  // Dealt from the first part to the last, and back again: whoever got a long one gets a short one then.
  for (const [n, suite] of suites.entries()) {
    const [round, at] = [Math.floor(n / dealt.length), n % dealt.length];
    dealt[round % 2 === 0 ? at : dealt.length - 1 - at].push(suite);
  }
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  for (const [n, files] of dealt.entries())
    fs.writeFileSync(path.join(folder, `part-${String(n + 1).padStart(2, '0')}.mjs`), partOf(files));
  return [
    ...[path.join(root, workspace, 'src'), folder].flatMap((one) => ['--roots', one]),
    ...['**/*.spec.ts', '**/part-*.mjs'].flatMap((one) => ['--testMatch', one]),
    `--testSequencer=${path.join(root, 'infra/local/jest-in-order.mjs')}`,
  ];
}

/** The longest ones first, then the others by size: long files take their time, more or less. */
function suitesIn(folder, longest) {
  const ending = '.e2e.ts';
  const rank = (name) => (longest.includes(name) ? longest.indexOf(name) : longest.length);
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => ({
      file: path.join(folder, file),
      rank: rank(file.slice(0, -ending.length)),
      size: fs.statSync(path.join(folder, file)).size,
    }))
    .sort((a, b) => a.rank - b.rank || b.size - a.size || a.file.localeCompare(b.file))
    .map(({ file }) => file);
}

/** One that cannot be loaded fails by itself: the others are run. */
const partOf = (files) => `import { createRequire } from 'node:module';
import { describe, it } from '@jest/globals';

const load = createRequire(import.meta.url);
const suites = ${JSON.stringify(files, null, 2)};
for (const file of suites)
  describe(file.replace(/^.*\\//, ''), () => {
    try {
      load(file);
    } catch (error) {
      it('can be loaded', () => {
        throw error;
      });
    }
  });
`;
