import { createZstdCompress } from 'node:zlib';
import { keptSettings } from './kept-settings.js';
import { Replication } from './replication.js';
import { COMPRESSION, type Copy, pieceName, type Repository, settingsName } from './repository.js';
import type { BackupValues } from './settings.js';

/** What is read, written and held in memory at once. */
const PIECE_BYTES = 32 * 2 ** 20;
/** Pieces that are being stored while the next one fills. */
const STORED_AT_ONCE = 2;

export type CopySource = {
  /** Of a login that may replicate. */
  replicationUrl: string;
  /** The owner's address: who signs in to a restored server. */
  ownerUrl: string;
  given: NodeJS.ProcessEnv;
  values: BackupValues;
};

/** Takes a full copy of the running server with its settings. Returns it when it counts. */
export async function takeCopy(repository: Repository, source: CopySource): Promise<Copy> {
  const { replicationUrl, ownerUrl, given, values } = source;
  const startedAt = new Date();
  const id = startedAt.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const replication = await Replication.open(replicationUrl);
  try {
    await repository.claim((await replication.identify()).systemId);
    const [segmentBytes, serverVersion] = [
      await replication.segmentBytes(),
      await replication.setting('server_version'),
    ];
    await repository.write(settingsName(id), Buffer.from(JSON.stringify(await keptSettings(given, values))));
    const packed = createZstdCompress(COMPRESSION);
    const [ends, pieces] = await Promise.all([
      replication.baseBackup(`yiqiao ${id}`, packed),
      storePieces(repository, id, packed),
    ]);
    const owner = new URL(ownerUrl);
    const copy: Copy = {
      id,
      startedAt: startedAt.toISOString(),
      stoppedAt: new Date().toISOString(),
      ...ends,
      segmentBytes,
      serverVersion,
      owner: decodeURIComponent(owner.username),
      database: decodeURIComponent(owner.pathname.slice(1)),
      pieces,
    };
    await repository.finish(copy);
    return copy;
  } finally {
    await replication.close();
  }
}

/** Cuts `packed` into objects, so that none is large, and stores them. */
async function storePieces(repository: Repository, id: string, packed: AsyncIterable<Buffer>): Promise<Copy['pieces']> {
  const stored: Promise<Copy['pieces'][number]>[] = [];
  const store = (chunks: Buffer[]): void => {
    const name = pieceName(id, stored.length);
    const piece = repository.write(name, Buffer.concat(chunks)).then((written) => ({ name, ...written }));
    piece.catch(() => undefined);
    stored.push(piece);
  };
  let [chunks, bytes] = [[] as Buffer[], 0];
  for await (const chunk of packed) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    await stored.at(-STORED_AT_ONCE);
    store(chunks);
    [chunks, bytes] = [[], 0];
  }
  if (bytes > 0) store(chunks);
  return Promise.all(stored);
}

export const storedBytes = ({ pieces }: Copy): number => pieces.reduce((sum, { bytes }) => sum + bytes, 0);
