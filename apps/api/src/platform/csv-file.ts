import type { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** A file that an endpoint answers instead of the envelope (contracts: `file`). */
export class CsvFile {
  constructor(
    private readonly name: string,
    private readonly text: Readable,
  ) {}

  get answer(): StreamableFile {
    const disposition = `attachment; filename="${this.name}"`;
    return new StreamableFile(this.text, { type: 'text/csv; charset=utf-8', disposition });
  }
}
