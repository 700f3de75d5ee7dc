import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { TextChannels, type TextPair } from './text-channels.js';

export class ListPairs extends Query<TextPair[]> {}

@QueryHandler(ListPairs)
export class ListPairsHandler implements IQueryHandler<ListPairs> {
  constructor(private readonly channels: TextChannels) {}

  execute(): Promise<TextPair[]> {
    return this.channels.pairs();
  }
}
