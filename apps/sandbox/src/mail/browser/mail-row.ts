/** A mail to one recipient, as JSON (decisions §8). `at` is ISO 8601 in UTC. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly at: string;
}
