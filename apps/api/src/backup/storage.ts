import { randomBytes } from 'node:crypto';
import { open, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { type BackupValues, folderOf } from './settings.js';

export type StoredObject = { name: string; bytes: number };

/** Keeps named objects of up to some tens of MB. `put` is atomic and durable: afterwards the object is there as a whole, before not at all. */
export interface Storage {
  put(name: string, content: Buffer): Promise<void>;
  /** Null if there is none. */
  get(name: string): Promise<Buffer | null>;
  /** Those whose names begin with `prefix`, which is empty or ends with a slash, by name. */
  list(prefix: string): Promise<StoredObject[]>;
  remove(name: string): Promise<void>;
}

export async function openStorage(values: BackupValues): Promise<Storage> {
  const folder = folderOf(values.BACKUP_URL);
  if (folder !== null) return new FolderStorage(folder);
  const { S3Client } = await import('@aws-sdk/client-s3');
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(values.BACKUP_URL) ?? [];
  const { BACKUP_S3_ENDPOINT: endpoint, BACKUP_S3_KEY_ID: accessKeyId = '' } = values;
  const client = new S3Client({
    region: values.BACKUP_S3_REGION,
    credentials: { accessKeyId, secretAccessKey: values.BACKUP_S3_SECRET ?? '' },
    // Compatible servers need not have a host name for each bucket, nor the checksums of newer SDKs; requests are signed with their content.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 5,
  });
  return new S3Storage(client, { bucket, prefix: prefix === '' ? '' : `${prefix}/` });
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';
const UNFINISHED = '.unfinished-';

class FolderStorage implements Storage {
  constructor(private readonly folder: string) {}

  async put(name: string, content: Buffer): Promise<void> {
    const file = path.join(this.folder, name);
    const folder = path.dirname(file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const unfinished = path.join(folder, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
    try {
      const handle = await open(unfinished, 'wx', 0o600);
      try {
        await handle.writeFile(content);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(unfinished, file);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await syncFolder(folder);
  }

  async get(name: string): Promise<Buffer | null> {
    try {
      return await readFile(path.join(this.folder, name));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async list(prefix: string): Promise<StoredObject[]> {
    const entries = await readdir(path.join(this.folder, prefix), { recursive: true, withFileTypes: true }).catch(
      (error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      },
    );
    const found = entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith(UNFINISHED))
      .map(async (entry) => {
        const file = path.join(entry.parentPath, entry.name);
        // A file may be removed by another process meanwhile.
        const size = await stat(file).then(
          ({ size: bytes }) => bytes,
          () => null,
        );
        return size === null ? [] : [{ name: path.relative(this.folder, file), bytes: size }];
      });
    return (await Promise.all(found)).flat().sort(byName);
  }

  async remove(name: string): Promise<void> {
    const file = path.join(this.folder, name);
    await rm(file, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const byName = (a: StoredObject, b: StoredObject): number => (a.name < b.name ? -1 : 1);

class S3Storage implements Storage {
  constructor(
    private readonly client: S3Client,
    private readonly place: { bucket: string; prefix: string },
  ) {}

  async put(name: string, content: Buffer): Promise<void> {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3');
    await this.client.send(new PutObjectCommand({ ...this.#at(name), Body: content }));
  }

  async get(name: string): Promise<Buffer | null> {
    const { GetObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3');
    try {
      const { Body } = await this.client.send(new GetObjectCommand(this.#at(name)));
      return Body ? Buffer.from(await Body.transformToByteArray()) : null;
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async list(prefix: string): Promise<StoredObject[]> {
    const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3');
    const { bucket: Bucket, prefix: own } = this.place;
    const found: StoredObject[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client: this.client },
      { Bucket, Prefix: `${own}${prefix}` },
    ))
      for (const { Key, Size = 0 } of Contents)
        if (Key !== undefined) found.push({ name: Key.slice(own.length), bytes: Size });
    return found.sort(byName);
  }

  async remove(name: string): Promise<void> {
    const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
    await this.client.send(new DeleteObjectCommand(this.#at(name)));
  }

  #at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: `${this.place.prefix}${name}` };
  }
}
