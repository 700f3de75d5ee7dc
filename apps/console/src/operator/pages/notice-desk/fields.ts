/** A notice as the editor's form has it: flat, so that the server's refusals find their fields. */
import type { Response } from '@yiqiao/contracts/endpoint';
import type { getNotice } from '@yiqiao/contracts/operator/notices';
import dayjs, { type Dayjs } from 'dayjs';

export type Notice = Response<typeof getNotice>;
type Texts = Notice['zh'];
export type Side = 'zh' | 'en';
type TextName = `${Side}.${keyof Texts}`;
export type Fields = Record<TextName, string> & { startsAt: Dayjs | null; endsAt: Dayjs | null };
export type FieldName = keyof Fields;

const WIRE = 'YYYY-MM-DD HH:mm:ss';

const TEXTS = ['name', 'title', 'subTitle', 'content'] as const;
export const FIELD_NAMES: readonly FieldName[] = [
  ...TEXTS.map((name) => `zh.${name}` as const),
  ...TEXTS.map((name) => `en.${name}` as const),
  'startsAt',
  'endsAt',
];

const NO_TEXTS: Texts = { name: '', title: '', subTitle: '', content: '' };
const momentOf = (wire: string | null): Dayjs | null => (wire === null ? null : dayjs(wire));

/** Of the notice, or of a new one. */
export function fieldsOf(notice: Notice | null): Fields {
  const texts = (side: Side) => TEXTS.map((name) => [`${side}.${name}`, (notice?.[side] ?? NO_TEXTS)[name]]);
  return {
    ...(Object.fromEntries([...texts('zh'), ...texts('en')]) as Record<TextName, string>),
    startsAt: momentOf(notice?.startsAt ?? null),
    endsAt: momentOf(notice?.endsAt ?? null),
  };
}

const wireOf = (moment: Dayjs | null | undefined): string | null => moment?.format(WIRE) ?? null;

export const textsOf = (fields: Fields, side: Side): Texts => ({
  name: fields[`${side}.name`],
  title: fields[`${side}.title`],
  subTitle: fields[`${side}.subTitle`],
  content: fields[`${side}.content`],
});

/** As the server takes it. */
export const sentOf = (fields: Fields): Pick<Notice, 'zh' | 'en' | 'startsAt' | 'endsAt'> => ({
  zh: textsOf(fields, 'zh'),
  en: textsOf(fields, 'en'),
  startsAt: wireOf(fields.startsAt),
  endsAt: wireOf(fields.endsAt),
});

const asText = (value: Fields[FieldName]): string =>
  value === null || typeof value === 'string' ? (value ?? '') : value.format(WIRE);

/** The names of the fields that differ, with both values as text without HTML. */
export const differing = (a: Fields, b: Fields): { name: FieldName; a: string; b: string }[] =>
  FIELD_NAMES.flatMap((name) => {
    const [one, other] = [asText(a[name]), asText(b[name])];
    return one === other ? [] : [{ name, a: plain(one), b: plain(other) }];
  });

/** Words of HTML, for a table. */
const plain = (html: string): string =>
  html
    .replaceAll(/<\/(?:p|li|h3|h4|blockquote)>|<br\s*\/?>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .trim();

const isEmpty = (html: string): boolean => !/[\p{L}\p{N}]/u.test(plain(html));

/** The fields that keep it from being published. The server knows its own time, and judges the end against it. */
export const emptyOf = (fields: Fields): FieldName[] =>
  FIELD_NAMES.filter((name) => !name.endsWith('At') && !name.endsWith('subTitle') && isEmpty(asText(fields[name])));
