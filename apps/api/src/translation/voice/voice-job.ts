import { Injectable } from '@nestjs/common';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { translateVoice } from '@yiqiao/contracts/media';
import { Refusal } from '@yiqiao/domain/errors';
import { TEXT_MAX_CODE_POINTS } from '@yiqiao/domain/limits';
import { codePoints } from '@yiqiao/domain/members';
import type { Upload } from '../../platform/uploads.js';
import { type Answer as Translated, requestTranslations, type TranslationRequest } from '../channel-requests.js';
import { MediaMetering } from '../metering.js';
import { type Languages, mediaLanguages } from '../resolve-languages.js';
import { Router } from '../routing/router.js';
import { split } from '../text/split.js';
import { joinUses } from '../vendor-use.js';
import { type Hearing, type HearingRequest, SpeechToText } from './speech-to-text.js';
import { type MediaDeadline, within } from './media-deadline.js';
import type { Recording } from './recordings.js';
import { TextToSpeech } from './text-to-speech.js';

export type VoiceJob = {
  readonly recording: Recording;
  readonly upload: Upload;
  readonly timeLimit: MediaDeadline;
  /** The transcript as the member edited it; null: to be recognised. */
  readonly transcript: string | null;
  readonly speech: 'wanted' | 'unwanted';
};

type Spoken = Answer<typeof translateVoice>;

/** A paid job: recognises a recording, unless the member sent its transcript, translates and speaks it. */
@Injectable()
export class VoiceJobs {
  constructor(
    private readonly hearings: SpeechToText,
    private readonly speaker: TextToSpeech,
    private readonly router: Router,
    private readonly metered: MediaMetering,
  ) {}

  /** Throws refusals before the hold; returns later failures, as in `translate-one.ts`. */
  async translate(job: VoiceJob, context: TranslationRequest): Promise<Spoken | Refusal> {
    const { recording, transcript } = job;
    const { choice, pair } = context;
    const request = this.#request(job, context);
    const hearing = transcript === null ? await this.hearings.needed(request) : null;
    if (hearing === null) await this.hearings.checkLength(request);
    const known = { ...pair, source: pair.source ?? sourceOf(hearing) };
    // With a transcript the text is known, so that everything about it can be refused now.
    const languages =
      transcript === null
        ? await mediaLanguages(null, known, choice.candidates)
        : await mediaLanguages(transcript, known, choice.candidates);
    const ask = { kind: 'voice', minutes: recording.minutes } as const;
    const outcome = await this.metered.serve({ ...context, pair: known }, ask, () =>
      this.#serve(job, { ...context, pair: known }, languages),
    );
    return outcome instanceof Refusal ? outcome : { ...outcome.answer, charged: outcome.charged };
  }

  async #serve(job: VoiceJob, context: TranslationRequest, languages: Languages | null) {
    const { choice, pair } = context;
    const heard =
      job.transcript === null
        ? await within(job.timeLimit, this.hearings.hear(this.#request(job, context)))
        : { text: job.transcript, source: pair.source, vendor: null };
    const full = languages ?? (await mediaLanguages(heard.text, { ...pair, source: heard.source }, choice.candidates));
    const { translated, channelId, source, vendors } = await within(
      job.timeLimit,
      this.#translate(heard.text, full, context),
    );
    // Not charged, like a text that stays as it is.
    if (translated.trim() === heard.text.trim()) throw new Refusal('NOT_TRANSLATED');
    const how = { channelId: choice.asked, langCode: full.target, timeLimit: job.timeLimit };
    const speech = job.speech === 'wanted' ? await this.speaker.speak(translated, how) : null;
    const { seconds } = job.recording;
    const vendor = joinUses([heard.vendor, ...vendors]);
    return { channelId, source, vendor, answer: { transcript: heard.text, translated, speech, seconds } };
  }

  /** Minutes of speech may exceed one text and are then translated in parts. */
  async #translate(
    text: string,
    languages: Languages,
    context: TranslationRequest,
  ): Promise<Pick<Translated, 'translated' | 'channelId' | 'source'> & { vendors: Translated['vendor'][] }> {
    const limits = { charsPerRequest: TEXT_MAX_CODE_POINTS, bytesPerRequest: null, textsPerRequest: 1 };
    const parts = codePoints(text) <= TEXT_MAX_CODE_POINTS ? [{ text, asked: true }] : split(text, limits, []);
    const done: string[] = [];
    const vendors: Translated['vendor'][] = [];
    let last: Translated | null = null;
    for (const part of parts) {
      last = part.asked ? await this.#translatePart(part.text, languages, context) : last;
      if (part.asked) vendors.push(last?.vendor);
      done.push(part.asked && last !== null ? last.translated : part.text);
    }
    if (last === null) throw new Refusal('NO_SPEECH_FOUND');
    return { translated: done.join(''), channelId: last.channelId, source: last.source, vendors };
  }

  async #translatePart(text: string, languages: Languages, context: TranslationRequest): Promise<Translated> {
    const [outcome] = await requestTranslations(this.router, context, [
      { text, codePoints: codePoints(text), languages },
    ]);
    if (!outcome) throw new Error('a text was left without an outcome');
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome.answer;
  }

  #request({ recording, upload, timeLimit }: VoiceJob, { choice, pair, client }: TranslationRequest): HearingRequest {
    const { source } = pair;
    return { channelId: choice.asked, recording, upload, source, timeLimit, language: client.language };
  }
}

/** The local engine knows only one language. */
const sourceOf = (hearing: Hearing | null): string | null => (hearing?.by === 'engine' ? 'en' : null);
