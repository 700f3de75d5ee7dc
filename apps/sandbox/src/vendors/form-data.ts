/** One field of a form. `filename` null: it is no file. */
export interface FormPart {
  readonly name: string;
  readonly filename: string | null;
  readonly bytes: Buffer;
}

/** The fields of a multipart/form-data body (RFC 7578), or null when it is none. */
export function partsIn(body: Buffer, contentType: string): readonly FormPart[] | null {
  const [, quoted, bare] =
    /^multipart\/form-data;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return null;
  const mark = Buffer.from(`\r\n--${boundary}`);
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  const parts: FormPart[] = [];
  for (let at = whole.indexOf(mark); at >= 0;) {
    const from = at + mark.length;
    if (whole.subarray(from, from + 2).toString() === '--') return parts;
    const to = whole.indexOf(mark, from);
    const part = to < 0 ? null : partIn(whole.subarray(from + 2, to));
    if (!part) return null;
    parts.push(part);
    at = to;
  }
  return null;
}

function partIn(bytes: Buffer): FormPart | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const headers = bytes.subarray(0, end).toString('utf8');
  const [, disposition] = /^content-disposition:\s*form-data;(.*)$/im.exec(headers) ?? [];
  const [, name] = /\bname="([^"]*)"/.exec(disposition ?? '') ?? [];
  if (name === undefined) return null;
  const [, filename = null] = /\bfilename="([^"]*)"/.exec(disposition ?? '') ?? [];
  return { name, filename, bytes: bytes.subarray(end + 4) };
}
