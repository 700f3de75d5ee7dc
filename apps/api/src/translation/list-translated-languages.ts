import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CHANNELS } from '@yiqiao/domain/channels';
import type { Caller } from '../platform/endpoint.js';
import { ChannelViews } from './channel-view.js';
import { TextChannels } from './text-channels.js';

/** langCodes, in no order. `registers`: targets for which the channel itself takes a formality. */
export type TranslatedLanguages = {
  readonly sources: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
  readonly registers: ReadonlySet<string>;
};

/** What a caller can translate: through its channel and the fallbacks. `channelId` null: its own channel. */
export class ListCallerLanguages extends Query<TranslatedLanguages> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number | null,
  ) {
    super();
  }
}

@QueryHandler(ListCallerLanguages)
export class ListCallerLanguagesHandler implements IQueryHandler<ListCallerLanguages> {
  constructor(private readonly views: ChannelViews) {}

  async execute({ caller, channelId }: ListCallerLanguages): Promise<TranslatedLanguages> {
    const { candidates } = await this.views.of({ channelId: channelId ?? undefined }, caller, 'en');
    const all = await Promise.all(candidates.map(({ channel }) => channel.languages()));
    const targets = new Set(all.flatMap((each) => [...each.targets]));
    const [{ channel: first }] = candidates;
    return {
      sources: new Set(all.flatMap(({ sources }) => [...sources])),
      targets,
      registers: new Set([...targets].filter((target) => first.hasRegisters?.(target))),
    };
  }
}

/** From each source to its targets (langCodes): what somebody can translate now, through any channel in service. No glosses. */
export class ListTranslatedLanguages extends Query<ReadonlyMap<string, ReadonlySet<string>>> {}

@QueryHandler(ListTranslatedLanguages)
export class ListTranslatedLanguagesHandler implements IQueryHandler<ListTranslatedLanguages> {
  constructor(private readonly channels: TextChannels) {}

  async execute(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const [offers, pairs] = await Promise.all([this.channels.offers(), this.channels.pairs()]);
    const listed = Map.groupBy(pairs, ({ channelId }) => channelId);
    const found = new Map<string, Set<string>>();
    const add = (source: string, targets: Iterable<string>): void => {
      const known = found.get(source) ?? new Set<string>();
      for (const target of targets) if (target !== source) known.add(target);
      found.set(source, known);
    };
    for (const { id, code, available } of offers) {
      const channel = available && CHANNELS[code].text ? this.channels.channel(id) : null;
      if (!channel) continue;
      const own = listed.get(id);
      if (own) {
        for (const { source, target, quality } of own) if (quality !== 'gloss') add(source, [target]);
        continue;
      }
      const { sources, targets } = await channel.languages();
      for (const source of sources) add(source, targets);
    }
    return found;
  }
}
