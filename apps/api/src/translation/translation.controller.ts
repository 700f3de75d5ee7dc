import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { listChannelHistory, listChannelStatus } from '@yiqiao/contracts/channel-traffic';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { languages, translate } from '@yiqiao/contracts/native-api';
import { forgetTranslations, getSavings } from '@yiqiao/contracts/savings';
import {
  exportTranslationLogs,
  listChannels,
  listLanguages,
  listTranslationLogs,
  listTranslationPairs,
  totalTranslationLogs,
  translateText,
  tryText,
} from '@yiqiao/contracts/translation';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { ListChannelHistory } from './channel-history.js';
import { ExportTranslationLogs } from './export-translation-logs.js';
import { ListChannels, ListChannelStatus } from './list-channels.js';
import { ListLanguages, ListPairs } from './list-languages.js';
import { ListTranslationLogs } from './list-translation-logs.js';
import { TotalTranslationLogs } from './total-translation-logs.js';
import { GetSavings } from './memory/savings.js';
import { ForgetTranslations } from './memory/translation-cache.js';
import { TranslateText } from './translate-text.js';
import { TryText } from './try-text.js';

@Controller()
export class TranslationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(translateText)
  text(
    @Input(translateText) input: InputOf<typeof translateText>,
    @Caller() caller: Caller,
    @Client() client: ClientInfo,
  ) {
    return this.commands.execute(new TranslateText(input, caller, client));
  }

  @Endpoint(translate)
  async withKey(
    @Input(translate) { text, ...input }: InputOf<typeof translate>,
    @Caller() caller: Caller,
    @Client() client: ClientInfo,
  ) {
    // Always as a list: in a list a gloss is never taken for a translation.
    const texts = typeof text === 'string' ? [text] : text;
    return this.commands.execute(new TranslateText({ ...input, text: texts }, caller, client));
  }

  @Endpoint(languages)
  languagesWithKey() {
    return this.queries.execute(new ListLanguages());
  }

  @Endpoint(tryText)
  try(@Input(tryText) input: InputOf<typeof tryText>, @Client() client: ClientInfo) {
    return this.queries.execute(new TryText(input, client));
  }

  @Endpoint(listLanguages)
  languages() {
    return this.queries.execute(new ListLanguages());
  }

  @Endpoint(listChannels)
  channels(@Client() client: ClientInfo) {
    return this.queries.execute(new ListChannels(client.language));
  }

  @Endpoint(listChannelStatus)
  channelStatus() {
    return this.queries.execute(new ListChannelStatus());
  }

  @Endpoint(listChannelHistory)
  channelHistory() {
    return this.queries.execute(new ListChannelHistory());
  }

  @Endpoint(listTranslationPairs)
  pairs() {
    return this.queries.execute(new ListPairs());
  }

  @Endpoint(listTranslationLogs)
  logs(@Input(listTranslationLogs) input: InputOf<typeof listTranslationLogs>, @Caller() caller: Caller) {
    return this.queries.execute(new ListTranslationLogs(input, caller.userId));
  }

  @Endpoint(totalTranslationLogs)
  totals(@Input(totalTranslationLogs) input: InputOf<typeof totalTranslationLogs>, @Caller() caller: Caller) {
    return this.queries.execute(new TotalTranslationLogs(caller.userId, input));
  }

  @Endpoint(exportTranslationLogs)
  exportLogs(
    @Input(exportTranslationLogs) input: InputOf<typeof exportTranslationLogs>,
    @Caller() caller: Caller,
    @Client() client: ClientInfo,
  ) {
    return this.queries.execute(new ExportTranslationLogs(caller, input, client.language));
  }

  @Endpoint(getSavings)
  savings(@Input(getSavings) { days }: InputOf<typeof getSavings>, @Caller() caller: Caller) {
    return this.queries.execute(new GetSavings(caller, days));
  }

  @Endpoint(forgetTranslations)
  forget(@Caller() caller: Caller) {
    return this.commands.execute(new ForgetTranslations(caller));
  }
}
