import { Injectable } from '@nestjs/common';

/**
 * What this process remembers of members beyond the request that read it. Whoever changes such a thing says so after the commit, and
 * the same process knows at once; the others within half a second.
 */
@Injectable()
export class Memories {
  readonly #listeners: ((userId: number) => void)[] = [];

  onChange(forget: (userId: number) => void): void {
    this.#listeners.push(forget);
  }

  forget(userId: number): void {
    for (const forget of this.#listeners) forget(userId);
  }
}
