import type { JobFault } from './jobs.js';

/** A job that cannot be done, for a reason that the other side can do something with. */
export class Fault extends Error {
  readonly why: JobFault;

  constructor(why: JobFault, options?: ErrorOptions) {
    super(why, options);
    this.why = why;
  }
}
