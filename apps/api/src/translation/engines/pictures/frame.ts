/** Maps points of the picture turned clockwise about its middle to the displayed picture. */
export class Frame {
  readonly turn: number;
  readonly #cos: number;
  readonly #sin: number;
  readonly #middle: readonly [number, number];
  readonly #level: readonly [number, number];

  constructor({ width, height, turn }: { width: number; height: number; turn: number }) {
    const angle = (turn * Math.PI) / 180;
    this.turn = turn;
    [this.#cos, this.#sin] = [Math.cos(angle), Math.sin(angle)];
    this.#middle = [width / 2, height / 2];
    const [cos, sin] = [Math.abs(this.#cos), Math.abs(this.#sin)];
    this.#level = [(width * cos + height * sin) / 2, (width * sin + height * cos) / 2];
  }

  /** The size of the turned picture: the smallest that contains all of it. */
  get size(): { width: number; height: number } {
    return { width: this.#level[0] * 2, height: this.#level[1] * 2 };
  }

  seen(x: number, y: number): [number, number] {
    const [u, v] = [x - this.#level[0], y - this.#level[1]];
    return [this.#middle[0] + this.#cos * u + this.#sin * v, this.#middle[1] - this.#sin * u + this.#cos * v];
  }

  level(x: number, y: number): [number, number] {
    const [u, v] = [x - this.#middle[0], y - this.#middle[1]];
    return [this.#level[0] + this.#cos * u - this.#sin * v, this.#level[1] + this.#sin * u + this.#cos * v];
  }

  /** The bounding box, in whole pixels of the displayed picture, of a box of the turned one. */
  around([left, top, width, height]: readonly [number, number, number, number]): [number, number, number, number] {
    const corners = [
      this.seen(left, top),
      this.seen(left + width, top),
      this.seen(left, top + height),
      this.seen(left + width, top + height),
    ];
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const [x, y] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
    return [x, y, Math.ceil(Math.max(...xs)) - x, Math.ceil(Math.max(...ys)) - y];
  }
}
