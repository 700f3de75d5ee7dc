import { open } from 'node:fs/promises';

/** The kinds of files that recordings come in. `demuxer`: what FFmpeg is told that it is, so that it never guesses playlists. */
const KINDS = [
  { name: 'wav', demuxer: 'wav', begins: /^(RIFF|RF64)[^]{4}WAVE/ },
  { name: 'flac', demuxer: 'flac', begins: /^fLaC/ },
  { name: 'ogg', demuxer: 'ogg', begins: /^OggS/ },
  { name: 'webm', demuxer: 'matroska', begins: /^[^]E\xdf\xa3/ },
  { name: 'mp4', demuxer: 'mov', begins: /^[^]{4}ftyp/ },
  { name: 'mp3', demuxer: 'mp3', begins: /^(ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/ },
] as const;

export type RecordingKind = (typeof KINDS)[number];

const BEGINNING = 16;

/** What a file is by how it begins, whatever it is called; null for everything that is no recording. */
export async function kindOf(path: string): Promise<RecordingKind | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    const beginning = buffer.subarray(0, bytesRead).toString('latin1');
    return KINDS.find(({ begins }) => begins.test(beginning)) ?? null;
  } finally {
    await file.close();
  }
}
