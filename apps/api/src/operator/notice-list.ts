import { type NoticeRecord, NoticeDesk } from '../notices/notice-desk.js';
import { Clock } from '../platform/clock.js';
import { readArguments, requireWords } from './command-line.js';
import type { Work } from './product.js';
import { table } from './table.js';

const HEAD = {
  zh: ['编号', '状态', '开始', '结束', '操作人', '标题'],
  en: ['id', 'state', 'from', 'to', 'by', 'title'],
} as const;

const STATES = {
  withdrawn: { zh: '已撤下', en: 'withdrawn' },
  planned: { zh: '未开始', en: 'planned' },
  ended: { zh: '已结束', en: 'ended' },
  shown: { zh: '显示中', en: 'shown' },
} as const;

/** `notice list`: the last two hundred, the newest first. */
export function noticeList(args: string[]): Work {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, say }) => {
    const clock = app.get(Clock);
    const rows = (await app.get(NoticeDesk, { strict: false }).all()).map((notice) => [
      ...[String(notice.id), STATES[stateOf(notice, clock.now())][language], clock.toWire(notice.startsAt)],
      ...[notice.endsAt ? clock.toWire(notice.endsAt) : '–', notice.manager, notice.zh.title],
    ]);
    say(rows.length > 0 ? table(HEAD[language], rows) : { zh: '没有公告', en: 'There are no notices.' }[language]);
  };
}

function stateOf({ startsAt, endsAt, withdrawnAt }: NoticeRecord, now: Date): keyof typeof STATES {
  if (withdrawnAt) return 'withdrawn';
  if (startsAt > now) return 'planned';
  return endsAt && endsAt <= now ? 'ended' : 'shown';
}
