import { NoticeDesk } from '../notices/notice-desk.js';
import { Clock } from '../platform/clock.js';
import { integer, readArguments, requireWords } from './command-line.js';
import { authorOf } from './managers.js';
import { readNotice, NOTICE_OPTIONS } from './notice-file.js';
import type { Work } from './product.js';
import { CommandError } from '../platform/cli-messages.js';

const IDS = [1, Number.MAX_SAFE_INTEGER] as const;

const missing = (id: number): CommandError =>
  new CommandError({ zh: `没有公告 ${id}，或它已撤下`, en: `There is no notice ${id}, or it was withdrawn.` });

/** `notice publish @file.json [--from "…"] [--to "…"] [--by name]`: every open page shows it at once, or when it begins. */
export function noticePublish(args: string[]): Work {
  const typed = readArguments(args, { options: NOTICE_OPTIONS });
  const [file = ''] = requireWords(typed, ['@file']);
  const written = readNotice(file, typed);
  const author = authorOf(typed);
  return async ({ app, say }) => {
    const notice = written(app.get(Clock));
    const id = await app.get(NoticeDesk, { strict: false }).publish(notice, author);
    say(`${id}  ${notice.zh.title} / ${notice.en.title}`);
  };
}

/** `notice change <id> @file.json …`: the whole notice anew; whoever has it before them sees it change. */
export function noticeChange(args: string[]): Work {
  const typed = readArguments(args, { options: NOTICE_OPTIONS });
  const [number = '', file = ''] = requireWords(typed, ['id', '@file']);
  const [id, written, author] = [integer('id', number, IDS), readNotice(file, typed), authorOf(typed)];
  return async ({ app, say }) => {
    const notice = written(app.get(Clock));
    const desk = app.get(NoticeDesk, { strict: false });
    if (!(await desk.change(id, notice, author))) throw missing(id);
    say(`${id}  ${notice.zh.title} / ${notice.en.title}`);
  };
}

/** `notice withdraw <id> [--by name]`: for good; it disappears from every open page. */
export function noticeWithdraw(args: string[]): Work {
  const typed = readArguments(args, { options: ['reason', 'by'] });
  const [number = ''] = requireWords(typed, ['id']);
  const [id, author] = [integer('id', number, IDS), authorOf(typed)];
  return async ({ app, language, say }) => {
    const desk = app.get(NoticeDesk, { strict: false });
    if (!(await desk.withdraw(id, author))) throw missing(id);
    say({ zh: `公告 ${id} 已撤下`, en: `Notice ${id} was withdrawn.` }[language]);
  };
}
