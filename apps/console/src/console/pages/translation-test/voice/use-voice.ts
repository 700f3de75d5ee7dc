import type { Response } from '@yiqiao/contracts/endpoint';
import { transcribe, translateVoice } from '@yiqiao/contracts/media';
import { useState } from 'react';
import { upload } from '../../../shared/api/upload.js';
import { refreshUser } from '../../../../shared/auth/user.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { toast } from '../../../../shared/ui/toast.js';
import type { Direction } from '../abilities.js';
import type { AddToHistory } from '../history.js';
import type { MediaForm } from '../media/use-media-form.js';
import { type Transport, useMediaRequest } from '../media/use-media-request.js';
import type { Sound } from './sound.js';
import { useRecorder } from './recorder.js';
import { useSound } from './use-sound.js';

type TranscriptRequest = { sound: Sound; source: string; channelId: string | undefined };
type TranscriptAnswer = Response<typeof transcribe>;

/** Transcribes a recording, free of charge. Throws ApiError. */
const transcribeRecording = (
  { sound, source, channelId }: TranscriptRequest,
  { signal, onSent }: Transport,
): Promise<TranscriptAnswer> =>
  upload(transcribe, { file: sound.file, fields: { source, channelId } }, { signal, onSent });

export type VoiceRequest = Direction & { sound: Sound; transcript: string; channelId: string | undefined };
export type VoiceAnswer = Response<typeof translateVoice>;

/** Translates a transcript, with speech where available; charged by the length of the recording. Throws ApiError. */
const translateRecording = (
  { sound, source, target, transcript, channelId }: VoiceRequest,
  transport: Transport,
): Promise<VoiceAnswer> =>
  upload(translateVoice, { file: sound.file, fields: { source, target, transcript, channelId } }, transport);

type Use = { form: MediaForm; addToHistory: AddToHistory; maxSeconds: number };

/** The steps of a recording: transcribe, correct, translate. */
export function useVoice({ form, addToHistory, maxSeconds }: Use) {
  const t = useMessages('translation-test');
  const { direction, channelId } = form;
  const [transcript, setTranscript] = useState<string | null>(null);
  /** The transcript is one that the server refused as unreliable, to be corrected. */
  const [doubtful, setDoubtful] = useState(false);

  const transcription = useMediaRequest<TranscriptRequest, TranscriptAnswer>({
    bodyOf: (input) => JSON.stringify([input.sound.url, input.source, input.channelId]),
    run: transcribeRecording,
    onDone: (heard) => {
      setTranscript(heard.transcript);
      setDoubtful(false);
    },
  });
  const translation = useMediaRequest<VoiceRequest, VoiceAnswer>({
    bodyOf: ({ sound: { url }, source, target, transcript: said, channelId: through }) =>
      JSON.stringify([url, source, target, said, through]),
    run: translateRecording,
    onDone: ({ transcript: text, translated, charged }, { source, target, channelId: through }, seconds) => {
      const served = Number(through ?? form.payer.own.id);
      const answer = { translated, source, target, channelId: served, charged, warning: null };
      const done = { channelId: served, request: { source, target, text }, seconds };
      addToHistory({ ...done, answer: { ...answer, quality: 'translation' } }, 'voice');
      toast.success(t('translatedWell'));
      // Refreshes the balance; a failure does not affect the translation.
      refreshUser().catch(() => undefined);
    },
  });
  const { sound, problem, take, keep } = useSound({
    maxSeconds,
    onSound: () => {
      setTranscript(null);
      setDoubtful(false);
      transcription.clear();
      translation.clear();
    },
  });
  const recording = useRecorder({ maxSeconds, onRecorded: keep });

  const heard = transcription.request.status === 'done' ? transcription.request.answer.seconds : null;
  const seconds = sound?.seconds ?? heard;
  return {
    sound,
    problem,
    take,
    transcript,
    setTranscript,
    doubtful,
    /** Takes a transcript that the server refused as unreliable. */
    correct: (text: string): void => {
      transcription.clear();
      setTranscript(text);
      setDoubtful(true);
    },
    transcription,
    translation,
    recording,
    /** Voice uses that the recording costs: one per started minute. */
    cost: sound === null ? 0 : Math.max(1, Math.ceil((seconds ?? 0) / 60)),
    busy: transcription.request.status === 'busy' || translation.request.status === 'busy',
    transcribe: (): void => {
      if (sound) transcription.start({ sound, source: direction.source, channelId });
    },
    translate: (): void => {
      if (!sound || transcript === null) return;
      form.remember();
      translation.start({ ...direction, sound, transcript, channelId });
    },
  };
}

export type Voice = ReturnType<typeof useVoice>;
