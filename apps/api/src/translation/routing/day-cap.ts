/**
 * So many units a calendar day. Each process counts for itself and from its start: a cap is there to bound a bill, and the vendor's own
 * count stays the truth.
 */
export class DayCap {
  #day = '';
  #used = 0;

  constructor(
    private readonly units: number,
    /** Today, in whichever form, by the calendar that counts. */
    private readonly today: () => string,
  ) {}

  use(units: number): void {
    this.#turn();
    this.#used += units;
  }

  fits(units: number): boolean {
    this.#turn();
    return this.#used + units <= this.units;
  }

  #turn(): void {
    const today = this.today();
    if (today === this.#day) return;
    this.#day = today;
    this.#used = 0;
  }
}
