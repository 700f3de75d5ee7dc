/** Content security policies, one for each kind of answer (docs/decisions/0027). */
import type { Config } from '../platform/config.js';

type Directives = Readonly<Record<string, readonly string[]>>;

const SELF = ["'self'"];
const NONE = ["'none'"];

const serialize = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');

/** Answers that are not pages: nothing may run, render or be framed. */
export const DATA_POLICY = serialize({ 'default-src': NONE, 'frame-ancestors': NONE });

/** Own SVG files with inline styles, also when opened directly. */
export const SVG_POLICY = serialize({
  'default-src': NONE,
  'style-src': ["'unsafe-inline'"],
  'frame-ancestors': NONE,
});

const PAGE: Directives = {
  'default-src': NONE,
  'script-src': SELF,
  'style-src': SELF,
  // QR codes of the customer service; data URLs in stylesheets.
  'img-src': [...SELF, 'data:'],
  'font-src': SELF,
  'connect-src': SELF,
  'form-action': SELF,
  // The registration form shows the agreement in a frame.
  'frame-src': SELF,
  'frame-ancestors': NONE,
  'base-uri': NONE,
  'object-src': NONE,
  'manifest-src': SELF,
};

/** Public pages: no inline script or style. */
export const PUBLIC_POLICY = serialize(PAGE);

/** The agreement, which the registration form frames. */
export const FRAMED_POLICY = serialize({ ...PAGE, 'frame-ancestors': SELF });

type Allowed = { formTargets: readonly string[]; scripts: readonly string[] };

/**
 * The policy of the console. antd injects styles at run time with a nonce that is valid for one answer. `data:` and `blob:` are for files
 * that a member selects and for translated media. `formTargets`: see below; `scripts`: hashes of the scripts within the page.
 */
export function consolePolicy({ formTargets, scripts }: Allowed): (nonce: string) => string {
  const [before = '', after = ''] = serialize({
    ...PAGE,
    'script-src': [...SELF, ...scripts.map((hash) => `'sha256-${hash}'`)],
    'style-src': [...SELF, "'nonce-\0'"],
    'img-src': [...SELF, 'data:', 'blob:'],
    'media-src': [...SELF, 'data:', 'blob:'],
    'form-action': [...SELF, ...formTargets],
    'frame-src': NONE,
  }).split('\0');
  return (nonce) => before + nonce + after;
}

/**
 * Allowed form actions: Alipay's gateway, when configured (decisions §5). The real gateway redirects to another host of Alipay, and browsers
 * apply `form-action` to redirects as well.
 */
export function formTargets({ env }: Pick<Config, 'env'>): string[] {
  if (!env.ALIPAY_APP_ID) return [];
  const { origin, hostname } = new URL(env.ALIPAY_GATEWAY_URL);
  const alipays = /\.(alipay\.com|alipaydev\.com)$/.exec(hostname)?.[1];
  return alipays ? [origin, `https://*.${alipays}`] : [origin];
}
