import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Language } from '@yiqiao/contracts/envelope';
import type { ShownNotice } from '@yiqiao/contracts/notices';
import { inLanguage, NoticeBoard } from './notice-board.js';

export class ListNotices extends Query<ShownNotice[]> {
  constructor(readonly language: Language) {
    super();
  }
}

@QueryHandler(ListNotices)
export class ListNoticesHandler implements IQueryHandler<ListNotices> {
  constructor(private readonly board: NoticeBoard) {}

  async execute({ language }: ListNotices): Promise<ShownNotice[]> {
    return (await this.board.shown()).map((notice) => inLanguage(notice, language));
  }
}
