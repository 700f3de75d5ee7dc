import { Injectable } from '@nestjs/common';

/** The pause between two texts of members who are typing. */
const LULL_MS = 500;

/** Whether texts are being translated in this process, for which members wait interactively. */
@Injectable()
export class TextTraffic {
  #last = -Infinity;

  note(): void {
    this.#last = performance.now();
  }

  get isOn(): boolean {
    return performance.now() - this.#last < LULL_MS;
  }
}
