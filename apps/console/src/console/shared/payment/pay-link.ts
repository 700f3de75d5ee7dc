import { safePaymentUrl } from './pay-form.js';

/** A link that pays without scanning: `app` starts Alipay, `page` is a web page. */
export type PayLink = { kind: 'app' | 'page'; href: string };

const ALIPAY = /(^|\.)alipay\.com$/;

/** Null for a code that only its app's scanner can open, like WeChat's `weixin://` ones. */
export function payLinkOf(code: string, page: Pick<Location, 'protocol' | 'hostname'> = location): PayLink | null {
  const url = safePaymentUrl(code, page);
  if (!url) return null;
  if (!ALIPAY.test(url.hostname)) return { kind: 'page', href: url.href };
  return { kind: 'app', href: `alipays://platformapi/startapp?saId=10000007&qrcode=${encodeURIComponent(url.href)}` };
}
