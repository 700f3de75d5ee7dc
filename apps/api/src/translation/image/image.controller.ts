import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { listMediaAbilities, translateImage } from '@yiqiao/contracts/media';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { type Upload, Uploaded } from '../../platform/uploads.js';
import { ListMediaAbilities } from './list-media-abilities.js';
import { TranslateImage } from './translate-image.js';

@Controller()
export class ImageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(translateImage)
  image(
    @Input(translateImage) input: InputOf<typeof translateImage>,
    @Uploaded() upload: Upload,
    @Caller() caller: Caller,
    @Client() client: ClientInfo,
  ) {
    return this.commands.execute(new TranslateImage(input, upload, { caller, client }));
  }

  @Endpoint(listMediaAbilities)
  abilities(@Client() client: ClientInfo) {
    return this.queries.execute(new ListMediaAbilities(client.language));
  }
}
