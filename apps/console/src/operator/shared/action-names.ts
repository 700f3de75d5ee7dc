import { ACTION_FIELDS, ACTION_NAMES, YES_OR_NO } from '@yiqiao/domain/operator-actions';
import { OPERATOR_ROLES, REQUEST_STATES } from '@yiqiao/domain/operators';
import dayjs from 'dayjs';
import { grouped, yuan } from '../../shared/amounts.js';
import { language } from '../../shared/i18n/language.js';

type Name = { readonly zh: string; readonly en: string };
type Fields = Readonly<Record<string, unknown>>;

const NAMES: Readonly<Record<string, Name>> = ACTION_NAMES;

/** Of an action or a kind of request; of a later version by its short name. */
export const actionName = (action: string): string => NAMES[action]?.[language] ?? action;

/** 申请调整额度: with what a request asks for. */
export function wholeName(action: string, after: Fields | null): string {
  const kind = action.startsWith('request.') ? after?.['kind'] : undefined;
  if (typeof kind !== 'string') return actionName(action);
  return language === 'zh'
    ? `${actionName(action)}：${actionName(kind)}`
    : `${actionName(action)}: ${actionName(kind)}`;
}

export const fieldName = (field: string): string => ACTION_FIELDS[field]?.[language] ?? field;

const VALUES: Readonly<Record<string, Readonly<Record<string, Name>>>> = {
  role: OPERATOR_ROLES,
  state: REQUEST_STATES,
};

/** Recorded in fen. */
const FEN = new Set(['amount', 'salePrice']);
const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value in words; what has none as it is recorded. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'boolean') return YES_OR_NO[`${value}`][language];
  if (typeof value === 'number') return FEN.has(field) ? `¥${yuan(value)}` : grouped(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (ISO.test(value)) return dayjs(value).format('YYYY-MM-DD HH:mm:ss');
  return VALUES[field]?.[value]?.[language] ?? value;
}

const SHORT = 32;

/** For a row of a list: of a text with a title the title, of what is long its beginning. */
export function shortValue(field: string, value: unknown): string {
  const title = typeof value === 'object' && value !== null && 'title' in value ? value.title : undefined;
  const text = typeof title === 'string' ? title : fieldValue(field, value);
  return text.length > SHORT ? `${text.slice(0, SHORT - 8)}…` : text;
}

/** What was recorded, with what a request asks for in the place of its payload, and without its kind, which its name has. */
export function fieldsOf(action: string, recorded: Fields | null): Fields {
  if (!recorded || !action.startsWith('request.')) return recorded ?? {};
  return Object.fromEntries(
    Object.entries(recorded).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'kind') return [];
      return name === 'payload' && typeof value === 'object' && value ? Object.entries(value) : [[name, value]];
    }),
  );
}

/** What only looks or signs in leaves no mark of the operator's hand. */
const LOOKING =
  /^(?:signIn|signOut|personalData|proof|audit|actions|whatIf|member\.viewAs|vendorAccount\.test|code|session)/;
export const isByHand = (action: string): boolean => !LOOKING.test(action);

/** How people name a request. */
export const requestNumber = (id: number): string => `A-${String(id).padStart(4, '0')}`;
