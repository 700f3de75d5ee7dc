import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import type { Bilingual } from '../channels/channel.js';
import { MediaQueue } from '../engines/media-queue.js';
import { readable } from './ocr-languages.js';
import { OfflineReader } from './offline-reader.js';
import type { Reading, ReadRequest } from './reader.js';

/** What a channel's pictures are read in. `reason`: what there is to know of it. */
export type Literacy = { readonly sources: readonly string[]; readonly reason: Bilingual | null };

const BUILT_IN_ONLY: Bilingual = {
  zh: '未安装 Tesseract：仅可识别英语和简体中文图片。安装：sudo apt-get install -y tesseract-ocr tesseract-ocr-chi-sim',
  en: 'Tesseract is not installed: only English and Simplified Chinese are read. Install it: sudo apt-get install -y tesseract-ocr tesseract-ocr-chi-sim',
};

/** Who reads the pictures of which channel: the engines of this machine, for every one of them. */
@Injectable()
export class PictureReaders {
  constructor(
    private readonly offline: OfflineReader,
    private readonly queue: MediaQueue,
  ) {}

  async of(channelId: number): Promise<Literacy> {
    void channelId;
    const languages = await this.offline.languages();
    return { sources: readable(languages), reason: (await this.offline.isComplete()) ? null : BUILT_IN_ONLY };
  }

  /** Throws MEDIA_LANGUAGE_NOT_SUPPORTED: known before anybody reads. Takes a langCode, or null for one that is to be found out. */
  async needed(channelId: number, source: string | null): Promise<void> {
    if (source === null) return;
    const { sources } = await this.of(channelId);
    if (!sources.includes(source)) throw new Refusal('MEDIA_LANGUAGE_NOT_SUPPORTED', { data: { source, sources } });
  }

  /** Throws what {@link PictureReader.read} throws. */
  read(channelId: number, request: ReadRequest): Promise<Reading> {
    void channelId;
    return this.queue.run(request, () => this.offline.read(request));
  }
}
