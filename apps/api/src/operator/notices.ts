import { readFileSync } from 'node:fs';
import { dateTime } from '@yiqiao/contracts/fields';
import { noticeTexts } from '@yiqiao/contracts/operator/notices';
import { z } from 'zod';
import { NoticeAdmin, type WrittenNotice } from '../notices/notice-admin.js';
import { noticeState } from '../notices/notice-state.js';
import { Clock } from '../platform/clock.js';
import { cleanNotice } from '../notices/clean-notice.js';
import { UsageError, CommandError } from '../platform/cli-messages.js';
import { readArguments, requireWords, type ParsedArguments, integer } from './command-line.js';
import type { OperatorTask } from './operator-app.js';
import { table } from './table.js';
import { authorOf } from './managers.js';

const HEAD = {
  zh: ['编号', '状态', '开始', '结束', '操作人', '标题'],
  en: ['id', 'state', 'from', 'to', 'by', 'title'],
} as const;

const STATES = {
  draft: { zh: '草稿', en: 'draft' },
  withdrawn: { zh: '已撤下', en: 'withdrawn' },
  scheduled: { zh: '未开始', en: 'planned' },
  ended: { zh: '已结束', en: 'ended' },
  shown: { zh: '显示中', en: 'shown' },
} as const;

/** `notice list`: the last two hundred, newest first. */
export function noticeList(args: string[]): OperatorTask {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, print }) => {
    const clock = app.get(Clock);
    const rows = (await app.get(NoticeAdmin, { strict: false }).all()).map((notice) => [
      String(notice.id),
      STATES[noticeState(notice, clock.now())][language],
      notice.startsAt ? clock.toWire(notice.startsAt) : '–',
      notice.endsAt ? clock.toWire(notice.endsAt) : '–',
      notice.manager,
      notice.zh.title,
    ]);
    print(rows.length > 0 ? table(HEAD[language], rows) : { zh: '没有公告', en: 'There are no notices.' }[language]);
  };
}

const texts = noticeTexts.transform((given, context) => {
  const cleaned = cleanNotice(given);
  if (cleaned) return cleaned;
  context.addIssue({ code: 'custom', path: ['content'] });
  return z.NEVER;
});
const notice = z.strictObject({ zh: texts, en: texts });

export const NOTICE_OPTIONS = ['from', 'to', 'reason', 'by'];

const SHAPE = '{"zh": {"name", "title", "subTitle", "content"}, "en": {…}}';

/** The notice in a file, sanitised, in both languages; shown from `--from` (default: now) to `--to` (until withdrawn). Throws UsageError. */
export function readNotice(file: string, parsed: ParsedArguments): (clock: Clock) => WrittenNotice {
  const { success, data } = notice.safeParse(parse(file));
  if (!success)
    throw new UsageError({
      zh: `公告文件应为 ${SHAPE}：name 1–20、title 1–100、subTitle 0–200 个字符且不含 HTML，content 为 HTML，至少有一个字`,
      en: `A notice file must look like ${SHAPE}: name 1–20, title 1–100, subTitle 0–200 characters without HTML; content is HTML with at least one word.`,
    });
  const [from, to] = [moment('from', parsed), moment('to', parsed)];
  return (clock) => {
    const startsAt = from === null ? clock.now() : clock.fromWire(from);
    const endsAt = to === null ? null : clock.fromWire(to);
    if (endsAt && endsAt.getTime() <= Math.max(startsAt.getTime(), clock.now().getTime()))
      throw new UsageError({
        zh: '--to 应晚于 --from 和现在',
        en: '--to must be later than --from and in the future.',
      });
    return { ...data, startsAt, endsAt };
  };
}

function parse(file: string): unknown {
  if (!file.startsWith('@'))
    throw new UsageError({ zh: '公告写在文件中：@文件名', en: 'Pass the notice as a file: @name' });
  try {
    return JSON.parse(readFileSync(file.slice(1), 'utf8'));
  } catch {
    throw new UsageError({
      zh: `无法读取文件 ${file.slice(1)}，或内容不是 JSON`,
      en: `The file ${file.slice(1)} cannot be read or is not JSON.`,
    });
  }
}

function moment(name: string, parsed: ParsedArguments): string | null {
  const text = parsed.options.get(name);
  if (text === undefined || dateTime.safeParse(text).success) return text ?? null;
  throw new UsageError({
    zh: `--${name} 应为 "YYYY-MM-DD HH:mm:ss"，而不是 ${text}`,
    en: `--${name} must be "YYYY-MM-DD HH:mm:ss", not ${text}`,
  });
}

const IDS = [1, Number.MAX_SAFE_INTEGER] as const;

const missing = (id: number): CommandError =>
  new CommandError({ zh: `没有公告 ${id}，或它已撤下`, en: `Notice ${id} does not exist or was withdrawn.` });

/** `notice publish @file.json [--from "…"] [--to "…"] [--by name]`: every open page shows it at once, or when it starts. */
export function noticePublish(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: NOTICE_OPTIONS });
  const [file = ''] = requireWords(parsed, ['@file']);
  const written = readNotice(file, parsed);
  const author = authorOf(parsed);
  return async ({ app, print }) => {
    const notice = written(app.get(Clock));
    const desk = app.get(NoticeAdmin, { strict: false });
    const { id } = await desk.add(notice, { publish: true }, author({ app }));
    print(`${id}  ${notice.zh.title} / ${notice.en.title}`);
  };
}

/** `notice change <id> @file.json …`: replaces the notice, also on open pages; a draft stays one. */
export function noticeChange(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: NOTICE_OPTIONS });
  const [number = '', file = ''] = requireWords(parsed, ['id', '@file']);
  const [id, written, author] = [integer('id', number, IDS), readNotice(file, parsed), authorOf(parsed)];
  return async ({ app, print }) => {
    const notice = written(app.get(Clock));
    const desk = app.get(NoticeAdmin, { strict: false });
    if (!(await desk.change(id, notice, { publish: false }, author({ app })))) throw missing(id);
    print(`${id}  ${notice.zh.title} / ${notice.en.title}`);
  };
}

/** `notice withdraw <id> [--by name]`: permanent; it disappears from every open page. */
export function noticeWithdraw(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['reason', 'by'] });
  const [number = ''] = requireWords(parsed, ['id']);
  const [id, author] = [integer('id', number, IDS), authorOf(parsed)];
  return async ({ app, language, print }) => {
    const desk = app.get(NoticeAdmin, { strict: false });
    if (!(await desk.withdraw(id, author({ app })))) throw missing(id);
    print({ zh: `公告 ${id} 已撤下`, en: `Notice ${id} was withdrawn.` }[language]);
  };
}
