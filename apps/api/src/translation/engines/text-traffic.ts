import { Injectable } from '@nestjs/common';

/** Between two texts of somebody who writes, and of several who do. */
const LULL_MS = 500;

/** Whether texts are being asked for in this process: somebody sits and waits for each of them. */
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
