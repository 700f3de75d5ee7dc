import { useEffect, useRef, useState } from 'react';
import { readSound, recordedSound, type NoSound, type Sound } from './sound.js';
import type { Recorded } from './use-recorder.js';

type Use = { maxSeconds: number; onSound: () => void };

/** The recording on the desk. A file that cannot be used leaves the one before where it is, and says why. */
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
