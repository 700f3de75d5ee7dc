// node infra/local/share-picture.mjs: renders apps/console/public/share.png, the Open Graph image of the site (1200 × 630).
// Run it when the brand, its colours or the headline change; the values are those of tokens.css.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { provideChromium } from './chromium.mjs';
import { root } from './project.mjs';

const WIDTH = 1200;
const HEIGHT = 630;
const fonts = path.join(root, 'apps/console/src/shared/fonts');
const face = (family, file) =>
  `@font-face { font-family: '${family}'; font-weight: 400 700; src: url(data:font/woff2;base64,${readFileSync(path.join(fonts, file)).toString('base64')}) }`;

// The sentence above the waterline in ink, what it becomes below it in 青 (DESIGN §1); the mark as in logo.tsx.
const html = `<!doctype html><meta charset="utf-8"><style>
${face('Latin', 'source-serif-4-base.woff2')}
${['console', 'dialogs', 'site', 'guide'].map((part) => face(`Han ${part}`, `yq-display-sc-${part}.woff2`)).join('\n')}
body { margin: 0; width: ${WIDTH}px; height: ${HEIGHT}px; background: #f5f8f8; color: #12242b;
  font-family: 'Latin', 'Han console', 'Han dialogs', 'Han site', 'Han guide', serif; font-weight: 600 }
main { padding: 64px 80px }
header { display: flex; align-items: center; gap: 20px; font-size: 44px; letter-spacing: .02em }
header small { color: #5b6d75; font-size: 32px; font-weight: 400 }
p { margin: 0; font-size: 76px; line-height: 1.2; letter-spacing: .01em }
.above { margin-top: 92px }
hr { border: 0; border-top: 3px solid #086f7d; margin: 30px 0 26px }
.below { color: #065965; font-size: 66px; letter-spacing: -.018em }
</style><main>
<header><svg viewBox="0 0 32 32" width="76" fill="none"><path stroke="#12242b" d="M4.5 15a11.5 11.5 0 0 1 23 0" stroke-width="3.2"/><path stroke="#12242b" d="M1 15h30" stroke-width="1.6"/><path stroke="#086f7d" d="M4.5 18.5a11.5 11.5 0 0 0 23 0" stroke-width="3.2"/></svg>译桥 <small>Yiqiao</small></header>
<p class="above">你写中文，客户读到母语。</p><hr><p class="below">You write yours. They read theirs.</p>
</main>`;

const { path: executablePath, reason } = await provideChromium();
if (!executablePath) throw new Error(`no browser: ${reason}`);
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
await page.setContent(html);
await page.evaluate('document.fonts.ready');
await page.screenshot({ path: path.join(root, 'apps/console/public/share.png') });
await browser.close();
