import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listMediaAbilities } from '@yiqiao/contracts/media';
import { TextChannels } from '../text-channels.js';
import { VoiceAbilities } from '../voice/voice-abilities.js';
import { PictureReaders } from './picture-readers.js';

type Abilities = Answer<typeof listMediaAbilities>;

export class ListMediaAbilities extends Query<Abilities> {
  constructor(readonly language: Language) {
    super();
  }
}

/** The abilities of the channels that can be used now. */
@QueryHandler(ListMediaAbilities)
export class ListMediaAbilitiesHandler implements IQueryHandler<ListMediaAbilities> {
  constructor(
    private readonly channels: TextChannels,
    private readonly readers: PictureReaders,
    private readonly voices: VoiceAbilities,
  ) {}

  async execute({ language }: ListMediaAbilities): Promise<Abilities> {
    const open = (await this.channels.offers()).filter(({ available }) => available);
    return Promise.all(
      open.map(async ({ id }) => {
        const [{ sources, reason }, spoken] = await Promise.all([this.readers.of(id), this.voices.of(id, language)]);
        const image = { available: true, reason: reason?.[language] ?? null, sources: [...sources], auto: true };
        return { channelId: id, image, ...spoken };
      }),
    );
  }
}
