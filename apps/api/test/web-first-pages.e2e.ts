/** A new database shows the prerendered pages: nothing is rendered again at the first start (docs/decisions/0026). */
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultDocuments } from '@yiqiao/contracts/default-documents';
import { defaultSite } from '@yiqiao/contracts/default-site';
import { Plans } from '../src/plans/plans.js';
import { siteData } from '../src/site-data.js';
import { Site } from '../src/site/site.js';
import { PublicPages } from '../src/web/public-pages.js';
import { startApi, type TestApi } from './support/api.js';
import { tester } from './support/operator.js';

const sha256 = (text: string): string => hash('sha256', text, 'hex');
const FOLDERS = [
  { folder: '.', production: true },
  { folder: 'trial', production: false },
];

let built: string;
let api: TestApi | undefined;
beforeAll(async () => {
  built = await mkdtemp(path.join(tmpdir(), 'first-pages-'));
  const drawn = FOLDERS.map(({ folder, production }) => ({ folder, data: defaultSite({ production, sha256 }) }));
  const pages = [{ address: '/price', language: 'zh', listed: true, file: 'price.html' }];
  await writeFile(path.join(built, 'pages.json'), JSON.stringify({ publicUrl: 'https://site.invalid', drawn, pages }));
  for (const { folder } of FOLDERS) {
    await mkdir(path.join(built, folder), { recursive: true });
    await writeFile(path.join(built, folder, 'price.html'), `built in ${folder}`);
  }
  await writeFile(path.join(built, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(built, 'render.js'), 'export const render = ({ data }) => `drawn ${data.plans.length}`;');
});
afterAll(() => rm(built, { recursive: true }));

/** A database at the first start: migrated and seeded, and nothing more. */
async function opened(production: boolean) {
  api = await startApi();
  await api.app.get(Plans).seed();
  await api.app.get(Site).seed(defaultDocuments({ production }));
  const errors: unknown[] = [];
  const pages = await PublicPages.open({
    folder: built,
    publicUrl: 'https://yiqiao.example',
    data: siteData(api.app),
    onError: (error) => errors.push(error),
  });
  const price = (): string | undefined => pages?.pageFor('/price', undefined)?.html;
  return { app: api.app, errors, pages, price };
}
afterEach(() => api?.stop());

describe.each(FOLDERS)('a new database (production: $production)', ({ folder, production }) => {
  it('shows the prerendered pages byte for byte until an operator changes something', async () => {
    const { app, errors, pages, price } = await opened(production);
    try {
      expect(await siteData(app)()).toEqual(defaultSite({ production, sha256 }));
      await pages?.check();
      expect(price()).toBe(`built in ${folder}`);
      await app.get(Site).set({ id: 'SITE_INFO', valued: null, public: true }, tester);
      await pages?.check();
      expect([price(), errors]).toEqual(['drawn 6', []]);
    } finally {
      pages?.close();
    }
  });
});
