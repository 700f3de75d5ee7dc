import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import type { Bilingual } from '../channels/channel.js';
import { languages } from '../channels/languages.js';
import { VendorFailure } from '../channels/vendor-failure.js';
import { MediaQueue } from '../engines/media-queue.js';
import { OfflineReader, readable } from './offline-reader.js';
import type { Reading, ReadRequest } from './reader.js';
import { VisionReader } from './vision-reader.js';

/** The languages in which a channel's pictures are read. `reason`: a remark for members. */
export type Literacy = { readonly sources: readonly string[]; readonly reason: Bilingual | null };

const BUILT_IN_ONLY: Bilingual = {
  zh: '未安装 Tesseract：仅可识别英语和简体中文图片。安装：sudo apt-get install -y tesseract-ocr tesseract-ocr-chi-sim',
  en: 'Tesseract is not installed: only English and Simplified Chinese are read. Install it: sudo apt-get install -y tesseract-ocr tesseract-ocr-chi-sim',
};

/** Chooses the reader of a channel's pictures: its vendor's vision model if it has one, else the local engines. */
@Injectable()
export class PictureReaders {
  constructor(
    private readonly offline: OfflineReader,
    private readonly vision: VisionReader,
    private readonly queue: MediaQueue,
  ) {}

  async of(channelId: number): Promise<Literacy> {
    if (this.vision.reads(channelId)) return { sources: languages().map(({ langCode }) => langCode), reason: null };
    return { sources: await this.#readableHere(), reason: (await this.offline.isComplete()) ? null : BUILT_IN_ONLY };
  }

  /** Throws MEDIA_LANGUAGE_NOT_SUPPORTED before reading. Takes a langCode, or null for one to be detected. */
  async needed(channelId: number, source: string | null): Promise<void> {
    if (source === null) return;
    const { sources } = await this.of(channelId);
    if (!sources.includes(source)) throw new Refusal('MEDIA_LANGUAGE_NOT_SUPPORTED', { data: { source, sources } });
  }

  /** Throws like {@link PictureReader.read}. */
  async read(channelId: number, request: ReadRequest): Promise<Reading> {
    const seen = this.vision.reads(channelId) ? await this.#byVendor(request) : null;
    return seen ?? this.queue.run(request, () => this.offline.read(request));
  }

  /** Null when the local engines must read: it failed, its boxes are implausible, or it found nothing. */
  async #byVendor(request: ReadRequest): Promise<Reading | null> {
    try {
      const seen = await this.vision.read(request);
      return seen.lines.length > 0 || !(await this.#isReadableHere(request)) ? seen : null;
    } catch (error) {
      if (!(error instanceof VendorFailure)) throw error;
      if (error.kind === 'blocked') throw new Refusal('CONTENT_REFUSED');
      if (request.signal.aborted) throw new Refusal('UPSTREAM_TIMEOUT');
      if (!(await this.#isReadableHere(request)))
        throw new Refusal(error.kind === 'timeout' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_FAILED');
      return null;
    }
  }

  async #isReadableHere({ source }: ReadRequest): Promise<boolean> {
    return source === null || (await this.#readableHere()).includes(source);
  }

  async #readableHere(): Promise<readonly string[]> {
    return readable(await this.offline.languages());
  }
}
