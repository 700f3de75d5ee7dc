import { Injectable } from '@nestjs/common';

/**
 * Tells the caches of this process that a member has changed. Whoever changes a member calls it after the commit, so this process answers
 * with the new state at once; the caches of other processes expire within half a second.
 */
@Injectable()
export class CacheInvalidation {
  readonly #listeners: ((userId: number) => void)[] = [];

  onInvalidate(listener: (userId: number) => void): void {
    this.#listeners.push(listener);
  }

  invalidate(userId: number): void {
    for (const listener of this.#listeners) listener(userId);
  }
}
