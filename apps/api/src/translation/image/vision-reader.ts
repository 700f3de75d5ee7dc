import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { channelCodeOf } from '@yiqiao/domain/channels';
import { IMAGE_PIXELS_MAX } from '@yiqiao/domain/limits';
import { Config } from '../../platform/config.js';
import { VendorAccounts } from '../channels/vendor-accounts.js';
import { languageOf } from '../channels/languages.js';
import { chatgpt } from '../channels/chatgpt.js';
import { OpenAiVision } from '../channels/openai-vision.js';
import { MediaQueue } from '../engines/media-queue.js';
import { PictureWorkers } from '../engines/picture-workers.js';
import type { Box } from '../engines/pictures/jobs.js';
import { MediaUpstreams } from '../routing/media-upstreams.js';
import { mediaClients, type PerAccount, type WithClient } from '../routing/per-account.js';
import { SharedCaps } from '../routing/shared-caps.js';
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
  readonly #clients: PerAccount<WithClient<OpenAiVision>>;
  readonly #calls: MediaUpstreams<OpenAiVision>;

  constructor(
    config: Config,
    accounts: VendorAccounts,
    private readonly workers: PictureWorkers,
    private readonly queue: MediaQueue,
    shared: SharedCaps,
  ) {
    const { OPENAI_VISION, OPENAI_VISION_MODEL } = config.read(chatgpt);
    this.#clients = mediaClients((account) => new OpenAiVision(account, OPENAI_VISION_MODEL ?? null));
    const surroundings = { time: realTime, shared };
    this.#calls = new MediaUpstreams([], { name: 'vision', inFlight: 4, requestMs: VISION_MS }, surroundings);
    if (OPENAI_VISION !== 'off')
      accounts.onChange((all) =>
        this.#calls.replace(this.#clients.update(all.filter(({ code }) => code === 'chatgpt'))),
      );
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
    const { value: lines, by } = await this.#calls.ask({
      family,
      signal,
      deadline,
      work: (client, ending) => client.read({ png, width, height, language, signal: ending }),
    });
    const found = lines.map(({ text, box }) => {
      const unscaled = box.map((n) => n / scale) as unknown as Box;
      return { box: unscaled, text, words: [{ box: unscaled, text }], em: null, baseline: null };
    });
    return { turn: 0, lines: found, vendor: by ? { accountId: by.id, cost: by.imageCost } : null };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.#clients.values.map(({ client }) => client.close()));
  }
}
