import type { Translate } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { type Path, valueAt } from './json.js';

type T = Translate<'content'>;

const KEYS = [
  'brand',
  'company',
  'copyright',
  'seller',
  'record',
  'text',
  'url',
  'logo',
  'zh',
  'en',
  'platform',
  'accountList',
  'accountType',
  'account',
  'referUrl',
  'qr',
  'listed',
  'label',
  'enLabel',
  'children',
  'version',
  'val',
  'childId',
  'size',
  'sha256',
  'requires',
  'notes',
  'enabled',
] as const;

const isKey = (step: string): step is (typeof KEYS)[number] => (KEYS as readonly string[]).includes(step);

/** How people call an element of a list. */
function nameOf(element: unknown): string | null {
  if (typeof element !== 'object' || element === null) return null;
  const { account, platform, label } = element as Record<string, unknown>;
  const name = account ?? platform ?? label;
  return typeof name === 'string' && name !== '' ? name : null;
}

/** Whose names a list goes by: `WhatsApp · +1 202 555 0167 · 展示`. */
export function pathName(document: unknown, path: Path, t: T): string {
  const names = path.flatMap((step, at) => {
    if (typeof step === 'number') return [nameOf(valueAt(document, path.slice(0, at + 1))) ?? `#${step + 1}`];
    // The list's elements say it already.
    if ((step === 'accountList' || step === 'children') && at < path.length - 1) return [];
    return [isKey(step) ? t(`key_${step}`) : step];
  });
  return names.length === 0 ? t('wholeDocument') : names.join(' · ');
}

const BASE64 = ';base64,';
const BYTES_PER_KIB = 1_024;

/** A value as people read it. */
export function valueText(path: Path, value: unknown, t: T): string {
  const name = path.at(-1);
  if (value === undefined || value === null || value === '') return t('empty');
  if (name === 'listed') return t(value === true ? 'listed' : 'unlisted');
  if (name === 'accountType') return t(value === 1 ? 'afterSale' : 'preSale');
  if (name === 'enabled') return t(value === true ? 'on' : 'off');
  if (typeof value === 'number') return name === 'size' ? grouped(value) : String(value);
  if (typeof value === 'string') {
    const at = value.startsWith('data:') ? value.indexOf(BASE64) : -1;
    if (at < 0) return value;
    const bytes = ((value.length - at - BASE64.length) * 3) / 4;
    return t('picture', { n: Math.max(1, Math.round(bytes / BYTES_PER_KIB)) });
  }
  if (Array.isArray(value)) {
    const names = value.map((each: unknown) => nameOf(each) ?? JSON.stringify(each));
    return names.length === 0 ? t('empty') : names.join(', ');
  }
  return JSON.stringify(value);
}
