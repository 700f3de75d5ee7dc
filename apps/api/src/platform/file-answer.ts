import type { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** The file that an endpoint with `file` returns instead of the envelope. `name`: without characters that a header would need quoted. */
export class FileAnswer {
  constructor(
    private readonly as: { name: string; type: string },
    private readonly text: Readable,
  ) {}

  get response(): StreamableFile {
    const { name, type } = this.as;
    return new StreamableFile(this.text, { type, disposition: `attachment; filename="${name}"` });
  }
}
