/** Positions in the write-ahead log and the names of its segments, as PostgreSQL writes them. */

export const parseLsn = (text: string): bigint => {
  const [, high = '', low = ''] = /^([0-9A-F]+)\/([0-9A-F]+)$/i.exec(text) ?? [];
  if (!low) throw new TypeError(`${text} is no position in the write-ahead log`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
};

export const formatLsn = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();

const hex8 = (n: bigint): string => n.toString(16).toUpperCase().padStart(8, '0');

export const historyName = (timeline: number): string => `${hex8(BigInt(timeline))}.history`;

/** The segment that holds `lsn`. `segmentBytes`: the server's wal_segment_size. */
export function segmentName(timeline: number, lsn: bigint, segmentBytes: number): string {
  const number = lsn / BigInt(segmentBytes);
  const perFile = 0x1_0000_0000n / BigInt(segmentBytes);
  return hex8(BigInt(timeline)) + hex8(number / perFile) + hex8(number % perFile);
}

export const segmentStart = (lsn: bigint, segmentBytes: number): bigint => lsn - (lsn % BigInt(segmentBytes));

/** Null for names of anything else. */
export function parseSegment(name: string, segmentBytes: number): { timeline: number; start: bigint } | null {
  const [, timeline = '', high = '', low = ''] = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/.exec(name) ?? [];
  if (!low) return null;
  const perFile = 0x1_0000_0000n / BigInt(segmentBytes);
  const number = BigInt(`0x${high}`) * perFile + BigInt(`0x${low}`);
  return { timeline: Number(BigInt(`0x${timeline}`)), start: number * BigInt(segmentBytes) };
}
