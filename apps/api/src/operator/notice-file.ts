import { readFileSync } from 'node:fs';
import { dateTime } from '@yiqiao/contracts/fields';
import { z } from 'zod';
import { cleanHtml } from '../notices/clean-html.js';
import type { WrittenNotice } from '../notices/notice-desk.js';
import type { Clock } from '../platform/clock.js';
import { UsageError } from '../platform/cli-messages.js';
import type { Typed } from './command-line.js';

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}<>]*$/u);
const texts = z.strictObject({
  name: line(20),
  title: line(100),
  subTitle: line(200).or(z.literal('')).default(''),
  content: z
    .string()
    .max(20_000)
    .transform(cleanHtml)
    .refine((html) => /\p{L}|\p{N}/u.test(html.replaceAll(/<[^>]*>/g, ''))),
});
const notice = z.strictObject({ zh: texts, en: texts });

export const NOTICE_OPTIONS = ['from', 'to', 'reason', 'by'];

const SHAPE = '{"zh": {"name", "title", "subTitle", "content"}, "en": {…}}';

/** The notice that a file tells, both languages, cleaned; when it is shown: `--from` (now) and `--to` (until it is withdrawn). Throws UsageError. */
export function readNotice(file: string, typed: Typed): (clock: Clock) => WrittenNotice {
  const { success, data } = notice.safeParse(parse(file));
  if (!success)
    throw new UsageError({
      zh: `公告文件应为 ${SHAPE}：name 1–20、title 1–100、subTitle 0–200 个字符且不含 HTML，content 为 HTML，至少有一个字`,
      en: `A notice's file is ${SHAPE}: name 1–20, title 1–100, subTitle 0–200 characters without HTML; content is HTML with at least one word.`,
    });
  const [from, to] = [moment('from', typed), moment('to', typed)];
  return (clock) => {
    const startsAt = from === null ? clock.now() : clock.fromWire(from);
    const endsAt = to === null ? null : clock.fromWire(to);
    if (endsAt && endsAt.getTime() <= Math.max(startsAt.getTime(), clock.now().getTime()))
      throw new UsageError({ zh: '--to 应晚于 --from 和现在', en: '--to is later than --from and than now.' });
    return { ...data, startsAt, endsAt };
  };
}

function parse(file: string): unknown {
  if (!file.startsWith('@'))
    throw new UsageError({ zh: '公告写在文件中：@文件名', en: 'The notice stands in a file: @name' });
  try {
    return JSON.parse(readFileSync(file.slice(1), 'utf8'));
  } catch {
    throw new UsageError({
      zh: `无法读取文件 ${file.slice(1)}，或内容不是 JSON`,
      en: `The file ${file.slice(1)} cannot be read, or is no JSON.`,
    });
  }
}

function moment(name: string, typed: Typed): string | null {
  const text = typed.options.get(name);
  if (text === undefined || dateTime.safeParse(text).success) return text ?? null;
  throw new UsageError({
    zh: `--${name} 应为 "YYYY-MM-DD HH:mm:ss"，而不是 ${text}`,
    en: `--${name} is "YYYY-MM-DD HH:mm:ss", not ${text}`,
  });
}
