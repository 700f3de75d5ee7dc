import { useEffect, useState } from 'react';
import { blobOfDataUrl } from '../media/data-url.js';
import { spokenSound, type Sound } from './sound.js';
import { speechName } from './speech-name.js';

/** The spoken translation, once the browser has made it playable; null while there is none. */
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
