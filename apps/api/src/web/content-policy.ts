/** What a browser may do with an answer (docs/decisions/0027): one policy for each kind of answer. */
import type { Config } from '../platform/config.js';

type Directives = Readonly<Record<string, readonly string[]>>;

const SELF = ["'self'"];
const NONE = ["'none'"];

const written = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');

/** Whatever is no page: nothing in it is ever run, drawn or framed, whoever opens it. */
export const DATA_POLICY = written({ 'default-src': NONE, 'frame-ancestors': NONE });

/** A drawing of ours that has a style of its own, also when it is opened by itself. */
export const DRAWING_POLICY = written({
  'default-src': NONE,
  'style-src': ["'unsafe-inline'"],
  'frame-ancestors': NONE,
});

const PAGE: Directives = {
  'default-src': NONE,
  'script-src': SELF,
  'style-src': SELF,
  // Codes of the customer service; what a stylesheet draws.
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

/** A page for anybody: no script and no style stands in it. */
export const PUBLIC_POLICY = written(PAGE);

/** The agreement, which the registration form frames. */
export const FRAMED_POLICY = written({ ...PAGE, 'frame-ancestors': SELF });

/**
 * The policy of the console's page. antd makes its styles at run time: they carry the nonce, which is good for one answer. What a member
 * chose to have translated is shown before it is sent, and what comes back is in the answer itself. `targets`: see `formTargets`.
 */
export function consolePolicy(targets: readonly string[]): (nonce: string) => string {
  const [before = '', after = ''] = written({
    ...PAGE,
    'style-src': [...SELF, "'nonce-\0'"],
    'img-src': [...SELF, 'data:', 'blob:'],
    'media-src': [...SELF, 'data:', 'blob:'],
    'form-action': [...SELF, ...targets],
    'frame-src': NONE,
  }).split('\0');
  return (nonce) => before + nonce + after;
}

/**
 * Where a form of ours may be posted to: Alipay's gateway, when there is one (decisions §5). The real gateway sends the browser on to
 * another host of Alipay's, and browsers hold a redirect of a form to the same rule.
 */
export function formTargets({ env }: Pick<Config, 'env'>): string[] {
  if (!env.ALIPAY_APP_ID) return [];
  const { origin, hostname } = new URL(env.ALIPAY_GATEWAY_URL);
  const alipays = /\.(alipay\.com|alipaydev\.com)$/.exec(hostname)?.[1];
  return alipays ? [origin, `https://*.${alipays}`] : [origin];
}
