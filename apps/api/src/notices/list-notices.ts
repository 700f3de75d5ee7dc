import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Language } from '@yiqiao/contracts/envelope';
import type { ShownNotice } from '@yiqiao/contracts/notices';
import { inLanguage, ActiveNotices } from './active-notices.js';

export class ListNotices extends Query<ShownNotice[]> {
  constructor(readonly language: Language) {
    super();
  }
}

@QueryHandler(ListNotices)
export class ListNoticesHandler implements IQueryHandler<ListNotices> {
  constructor(private readonly notices: ActiveNotices) {}

  async execute({ language }: ListNotices): Promise<ShownNotice[]> {
    return (await this.notices.list()).map((notice) => inLanguage(notice, language));
  }
}
