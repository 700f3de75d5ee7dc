import { Injectable } from '@nestjs/common';

/** More families than change their terms while a version that was read before is still used (half a second). */
const FAMILIES_MAX = 10_000;

/**
 * The glossary versions that this process wrote: its translations use a change at once, although the version that they know of may have been
 * read before.
 */
@Injectable()
export class WrittenVersions {
  /** By family, the latest write last. */
  readonly #versions = new Map<number, number>();

  /** After the commit. */
  add(familyId: number, version: number): void {
    const newest = this.newest(familyId, version);
    this.#versions.delete(familyId);
    this.#versions.set(familyId, newest);
    const [oldest] = this.#versions.keys();
    if (this.#versions.size > FAMILIES_MAX && oldest !== undefined) this.#versions.delete(oldest);
  }

  /** `version`, or what this process has written since. */
  newest(familyId: number, version: number): number {
    return Math.max(version, this.#versions.get(familyId) ?? 0);
  }
}
