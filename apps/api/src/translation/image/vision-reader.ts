import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { channelCodeOf } from '@yiqiao/domain/channels';
import { IMAGE_PIXELS_MAX } from '@yiqiao/domain/limits';
import { Config } from '../../platform/config.js';
import { vendorAccounts } from '../channels/vendors.js';
import { languageOf } from '../channels/languages.js';
import { chatgpt } from '../channels/chatgpt.js';
import { OpenAiVision } from '../channels/openai-vision.js';
import { MediaQueue } from '../engines/media-queue.js';
import { PictureWorkers } from '../engines/picture-workers.js';
import type { Box } from '../engines/pictures/jobs.js';
import { MediaUpstreams } from '../routing/media-upstreams.js';
import { realTime } from '../routing/time.js';
import { asRefusal } from './pictures.js';
import type { Reading, ReadRequest } from './reader.js';

/** A larger picture costs more and is not read better. */
const MOST_SIDE = 2_048;
/** The rest of the 45 s is for the local engines if this fails, and for drawing. */
const VISION_MS = 25_000;

/** Reads the pictures of the channel whose vendor has vision models. */
@Injectable()
export class VisionReader implements OnApplicationShutdown {
  readonly #clients: readonly OpenAiVision[];
  readonly #calls: MediaUpstreams<OpenAiVision>;

  constructor(
    config: Config,
    private readonly workers: PictureWorkers,
    private readonly queue: MediaQueue,
  ) {
    const { OPENAI_VISION, OPENAI_VISION_MODEL } = config.read(chatgpt);
    const accounts = OPENAI_VISION === 'off' ? [] : vendorAccounts(config).filter(({ code }) => code === 'chatgpt');
    const posts = accounts.map((account) => ({
      account,
      client: new OpenAiVision(account, OPENAI_VISION_MODEL ?? null),
    }));
    this.#clients = posts.map(({ client }) => client);
    this.#calls = new MediaUpstreams(posts, { name: 'vision', inFlight: 4, requestMs: VISION_MS }, realTime);
  }

  reads(channelId: number): boolean {
    return channelCodeOf(channelId) === 'chatgpt' && this.#calls.isOffered;
  }

  /** Throws VendorFailure, or a Refusal from the local steps. */
  async read({ picture, source, family, signal }: ReadRequest): Promise<Reading> {
    const scale = Math.min(1, MOST_SIDE / Math.max(picture.width, picture.height));
    const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    // The picture is sent without metadata such as place and camera.
    const at = path.join(path.dirname(picture.path), 'seen.png');
    const ask = { path: picture.path, at, pixelsMax: IMAGE_PIXELS_MAX, turn: 0, contrast: false, without: [] };
    await this.queue.run({ family, signal }, () =>
      this.workers.run('prepare', { ...ask, width, height }, signal).catch(asRefusal('NOT_AN_IMAGE')),
    );
    const png = await readFile(at);
    const language = source === null ? null : languageOf(source);
    const deadline = realTime.now() + VISION_MS;
    const lines = await this.#calls.ask({
      family,
      signal,
      deadline,
      work: (client, ending) => client.read({ png, width, height, language, signal: ending }),
    });
    const found = lines.map(({ text, box }) => {
      const unscaled = box.map((n) => n / scale) as unknown as Box;
      return { box: unscaled, text, words: [{ box: unscaled, text }], em: null, baseline: null };
    });
    return { turn: 0, lines: found };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}
