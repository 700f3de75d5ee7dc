import { useEffect } from 'react';

const stop = (event: DragEvent): void => {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
};

/** A file that misses its place must not take the page away: browsers open what is dropped. */
export function useNoStrayDrop(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    addEventListener('dragover', stop);
    addEventListener('drop', stop);
    return () => {
      removeEventListener('dragover', stop);
      removeEventListener('drop', stop);
    };
  }, [active]);
}
