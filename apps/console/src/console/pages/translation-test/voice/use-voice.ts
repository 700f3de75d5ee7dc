import { useState } from 'react';
import { refreshUser } from '../../../../shared/auth/user.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { toast } from '../../../../shared/ui/toast.js';
import { useErrand } from '../media/use-errand.js';
import type { MediaDesk } from '../media/use-media-desk.js';
import type { Note } from '../visits.js';
import {
  transcribeRecording,
  translateRecording,
  type AskedTranscript,
  type AskedVoice,
  type Crossed,
  type Heard,
} from './translate-recording.js';
import { useRecorder } from './use-recorder.js';
import { useSound } from './use-sound.js';

type Use = { desk: MediaDesk; note: Note; maxSeconds: number };

/** A recording on its way: heard, transcribed, set right, translated. */
export function useVoice({ desk, note, maxSeconds }: Use) {
  const t = useTexts('translation-test');
  const { direction, channel } = desk;
  const [transcript, setTranscript] = useState<string | null>(null);

  const hearing = useErrand<AskedTranscript, Heard>({
    bodyOf: ({ sound, source }) => JSON.stringify([sound.url, source]),
    run: transcribeRecording,
    onDone: (heard) => setTranscript(heard.transcript),
  });
  const crossing = useErrand<AskedVoice, Crossed>({
    bodyOf: ({ sound, source, target, transcript: said }) => JSON.stringify([sound.url, source, target, said]),
    run: translateRecording,
    onDone: ({ transcript: text, translated, charged }, { source, target }, seconds) => {
      const answer = { translated, source, target, channelId: channel.id, charged, warning: null };
      const done = { channelId: channel.id, asked: { source, target, text }, seconds };
      note({ ...done, answer: { ...answer, quality: 'translation' } }, 'voice');
      toast.success(t('translatedWell'));
      // The new balance; the translation stands even if this fails.
      refreshUser().catch(() => undefined);
    },
  });
  const { sound, problem, take, keep } = useSound({
    maxSeconds,
    onSound: () => {
      setTranscript(null);
      hearing.clear();
      crossing.clear();
    },
  });
  const recording = useRecorder({ maxSeconds, onRecorded: keep });

  const heard = hearing.errand.status === 'done' ? hearing.errand.answer.seconds : null;
  const seconds = sound?.seconds ?? heard;
  return {
    ...{ sound, problem, take, transcript, setTranscript, hearing, crossing, recording },
    /** Voice uses that the recording costs: one per started minute. */
    cost: sound === null ? 0 : Math.max(1, Math.ceil((seconds ?? 0) / 60)),
    busy: hearing.errand.status === 'busy' || crossing.errand.status === 'busy',
    transcribe: (): void => {
      if (sound) hearing.start({ sound, source: direction.source });
    },
    translate: (): void => {
      if (!sound || transcript === null) return;
      desk.remember();
      crossing.start({ ...direction, sound, transcript });
    },
  };
}

export type Voice = ReturnType<typeof useVoice>;
