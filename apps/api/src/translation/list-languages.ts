import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listLanguages } from '@yiqiao/contracts/translation';
import { languageLists } from './channels/language-lists.js';
import { TextChannels } from './text-channels.js';

export class ListLanguages extends Query<Answer<typeof listLanguages>> {}

/** The 215 languages, each saying which channels can do it on this side (decisions §9). */
@QueryHandler(ListLanguages)
export class ListLanguagesHandler implements IQueryHandler<ListLanguages> {
  constructor(private readonly channels: TextChannels) {}

  async execute(): Promise<Answer<typeof listLanguages>> {
    const { sourceList, targetList } = languageLists(await this.channels.languages());
    const open = (list: typeof sourceList) => list.map((row) => ({ ...row, channels: [...row.channels] }));
    return { sourceList: open(sourceList), targetList: open(targetList) };
  }
}
