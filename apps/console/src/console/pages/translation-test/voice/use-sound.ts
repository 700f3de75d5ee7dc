import { useEffect, useRef, useState } from 'react';
import { blobOfDataUrl, speechName } from '../media/answer-file.js';
import type { Recorded } from './recorder.js';
import { type NoSound, readSound, recordedSound, type Sound, spokenSound } from './sound.js';

type Use = { maxSeconds: number; onSound: () => void };

/** The recording on the form. An unusable file leaves the previous one in place and sets the reason. */
export function useSound({ maxSeconds, onSound }: Use) {
  const [sound, setSound] = useState<Sound | null>(null);
  const [problem, setProblem] = useState<NoSound | null>(null);
  const turn = useRef(0);
  useEffect(() => () => void (sound && URL.revokeObjectURL(sound.url)), [sound]);

  const put = async (read: Promise<Sound | NoSound>): Promise<void> => {
    const mine = ++turn.current;
    const got = await read;
    const late = mine !== turn.current;
    if (typeof got === 'string') {
      if (!late) setProblem(got);
    } else if (late) URL.revokeObjectURL(got.url);
    else {
      setProblem(null);
      setSound(got);
      onSound();
    }
  };
  return {
    sound,
    problem,
    take: (file: File): void => void put(readSound(file, maxSeconds)),
    keep: ({ samples, rate }: Recorded): void => void put(recordedSound(samples, rate)),
  };
}

/** The spoken translation once it is playable, else null. */
export function useSpeech(dataUrl: string | null, target: string): Sound | null {
  const [made, setMade] = useState<{ of: string; sound: Sound } | null>(null);
  useEffect(() => {
    if (dataUrl === null) return undefined;
    let over = false;
    let sound: Sound | undefined;
    const file = blobOfDataUrl(dataUrl);
    void spokenSound(file, speechName(target, file.type)).then((spoken) => {
      sound = spoken;
      if (over) URL.revokeObjectURL(spoken.url);
      else setMade({ of: dataUrl, sound: spoken });
    });
    return () => {
      over = true;
      if (sound) URL.revokeObjectURL(sound.url);
    };
  }, [dataUrl, target]);
  return made !== null && made.of === dataUrl ? made.sound : null;
}
