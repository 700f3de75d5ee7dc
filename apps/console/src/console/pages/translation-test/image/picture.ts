import { IMAGE_BYTES, IMAGE_PIXELS_MAX } from '@yiqiao/domain/limits';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** A chosen picture with an object URL; sizes are pixels after its EXIF orientation. */
export type Picture = { file: Blob; name: string; url: string; width: number; height: number };

/** Why a file cannot be sent as a picture. The server checks as well. */
export type NoPicture = 'notPicture' | 'tooManyBytes' | 'tooManyPixels';

const starts = (bytes: Uint8Array, at: number, ...signature: number[]): boolean =>
  signature.every((byte, i) => bytes[at + i] === byte);

/** Whether a file has the signature of PNG, JPEG or WebP; its name does not matter. */
export const isPicture = (head: Uint8Array): boolean =>
  starts(head, 0, 0x89, 0x50, 0x4e, 0x47) ||
  starts(head, 0, 0xff, 0xd8, 0xff) ||
  (starts(head, 0, 0x52, 0x49, 0x46, 0x46) && starts(head, 8, 0x57, 0x45, 0x42, 0x50));

const HEAD_BYTES = 12;

const sizeOf = (url: string): Promise<{ width: number; height: number } | null> =>
  new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight });
    image.onerror = () => resolve(null);
    image.src = url;
  });

/** Reads a chosen file. The caller revokes the url. */
async function readPicture(file: Blob, name: string): Promise<Picture | NoPicture> {
  if (file.size > IMAGE_BYTES) return 'tooManyBytes';
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (!isPicture(head)) return 'notPicture';
  const url = URL.createObjectURL(file);
  const size = await sizeOf(url);
  const problem = size === null ? 'notPicture' : size.width * size.height > IMAGE_PIXELS_MAX ? 'tooManyPixels' : null;
  if (size !== null && problem === null) return { file, name, url, ...size };
  URL.revokeObjectURL(url);
  return problem ?? 'notPicture';
}

/** The picture on the form. An unusable file leaves the previous one in place and sets the reason. */
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

/** Calls `onPicture` with a picture pasted anywhere on the page, except in a text field. */
export function usePaste(active: boolean, onPicture: (file: File) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent): void => {
    const writing = event.target instanceof HTMLElement && event.target.closest('input:not([type=range]), textarea');
    const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (writing || !file) return;
    event.preventDefault();
    onPicture(file);
  });
  useEffect(() => {
    if (!active) return undefined;
    const listen = (event: ClipboardEvent): void => paste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, [active]);
}
