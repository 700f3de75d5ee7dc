import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { CommandError } from '../platform/cli-messages.js';

const MAGIC = Buffer.from('YQBK\x01', 'latin1');
const ID_BYTES = 4;
const SALT_BYTES = 16;
const TAG_BYTES = 16;
const HEAD_BYTES = MAGIC.length + ID_BYTES + SALT_BYTES;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/**
 * Encrypts the objects of a repository with AES-256-GCM, each with a key and nonce of its own, derived from BACKUP_KEY, a random salt and the
 * object's name: one that was altered, cut or given another's name does not open. The head tells which BACKUP_KEY it needs.
 */
export class Seal {
  readonly #key: Buffer;
  readonly #id: Buffer;

  /** `key`: 64 hexadecimal digits. */
  constructor(key: string) {
    this.#key = Buffer.from(key, 'hex');
    this.#id = Buffer.from(hkdfSync('sha256', this.#key, '', 'yiqiao backup key id', ID_BYTES));
  }

  seal(name: string, content: Uint8Array): Buffer {
    const salt = randomBytes(SALT_BYTES);
    const { key, nonce } = this.#keyOf(name, salt);
    const cipher = createCipheriv(CIPHER, key, nonce);
    const body = [cipher.update(content), cipher.final()];
    return Buffer.concat([MAGIC, this.#id, salt, ...body, cipher.getAuthTag()]);
  }

  /** Throws CommandError that names the object if it was altered, cut, or made with another key. */
  open(name: string, sealed: Buffer): Buffer {
    if (sealed.length < HEAD_BYTES + TAG_BYTES || !sealed.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(name);
    const id = sealed.subarray(MAGIC.length, MAGIC.length + ID_BYTES);
    if (!id.equals(this.#id)) throw otherKey(name, { needs: id.toString('hex'), has: this.#id.toString('hex') });
    const { key, nonce } = this.#keyOf(name, sealed.subarray(MAGIC.length + ID_BYTES, HEAD_BYTES));
    const decipher = createDecipheriv(CIPHER, key, nonce);
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      throw damaged(name);
    }
  }

  #keyOf(name: string, salt: Buffer): { key: Buffer; nonce: Buffer } {
    const info = `yiqiao backup ${name}`;
    const bytes = Buffer.from(hkdfSync('sha256', this.#key, salt, info, KEY_BYTES + NONCE_BYTES));
    return { key: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
  }
}

export const damaged = (name: string): CommandError =>
  new CommandError({
    zh: `备份文件已损坏或不完整：${name}`,
    en: `This file of the backup is damaged or cut short: ${name}`,
  });

const otherKey = (name: string, { needs, has }: { needs: string; has: string }): CommandError =>
  new CommandError({
    zh: `BACKUP_KEY 不对：${name} 是用密钥 ${needs} 加密的，现在设置的是 ${has}`,
    en: `The wrong BACKUP_KEY: ${name} was encrypted with key ${needs}; the one set is ${has}.`,
  });
