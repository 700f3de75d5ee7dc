import { useEffect, useRef, useState } from 'react';
import { readPicture, type NoPicture, type Picture } from './picture.js';

/** The picture on the desk. A file that cannot be used leaves the one before where it is, and says why. */
export function usePicture(onPicture: () => void) {
  const [picture, setPicture] = useState<Picture | null>(null);
  const [problem, setProblem] = useState<NoPicture | null>(null);
  const turn = useRef(0);
  useEffect(() => () => void (picture && URL.revokeObjectURL(picture.url)), [picture]);

  const take = async (file: Blob, name: string): Promise<void> => {
    const mine = ++turn.current;
    const read = await readPicture(file, name);
    const late = mine !== turn.current;
    if (typeof read === 'string') {
      if (!late) setProblem(read);
    } else if (late) URL.revokeObjectURL(read.url);
    else {
      setProblem(null);
      setPicture(read);
      onPicture();
    }
  };
  return { picture, problem, take: (file: Blob, name: string): void => void take(file, name) };
}
