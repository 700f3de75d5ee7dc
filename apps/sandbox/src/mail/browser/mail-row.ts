/** One mail as one recipient got it: the shape on the wire (decisions §8). `at` is ISO 8601 in UTC. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly at: string;
}
