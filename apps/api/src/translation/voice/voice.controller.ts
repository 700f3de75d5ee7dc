import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { transcribe, translateVoice } from '@yiqiao/contracts/media';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { type Upload, Uploaded } from '../../platform/uploads.js';
import { Transcribe } from './transcribe.js';
import { TranslateVoice } from './translate-voice.js';

@Controller()
export class VoiceController {
  constructor(private readonly commands: CommandBus) {}

  @Endpoint(translateVoice)
  voice(
    @Input(translateVoice) input: InputOf<typeof translateVoice>,
    @Uploaded() upload: Upload,
    @Caller() caller: Caller,
    @Client() client: ClientInfo,
  ) {
    return this.commands.execute(new TranslateVoice(input, upload, { caller, client }));
  }

  @Endpoint(transcribe)
  transcript(
    @Input(transcribe) input: InputOf<typeof transcribe>,
    @Uploaded() upload: Upload,
    @Caller() caller: Caller,
    @Client() client: ClientInfo,
  ) {
    return this.commands.execute(new Transcribe(input, upload, { caller, client }));
  }
}
