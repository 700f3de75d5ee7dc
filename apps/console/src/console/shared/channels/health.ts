import type { Response } from '@yiqiao/contracts/endpoint';
import type { listChannelStatus } from '@yiqiao/contracts/translation';

/** What real traffic says of a channel during the last 24 hours. */
export type ChannelStatus = Response<typeof listChannelStatus>[number];

/** `well` false: one request in twenty or more failed. `times` null: not one answer came whose time could be told. */
export type Health =
  | { kind: 'figures'; share: string; times: { median: string; p95: string } | null; well: boolean }
  /** Nobody asked, or too few to say anything. */
  | { kind: 'little'; requests: number };

const WELL = 0.95;

/** Milliseconds as seconds, with the digits that a person can tell apart: `0.08`, `1.4`, `12`. */
export const secondsText = (ms: number): string => {
  if (ms < 10) return '<0.01';
  const decimals = ms < 1_000 ? 2 : ms < 10_000 ? 1 : 0;
  return (ms / 1_000).toFixed(decimals);
};

/** A share from 0 to 1 in per cent, never rounded up to perfection: 0.9996 is `99.9`. */
export const percentText = (share: number): string => {
  const tenths = Math.floor(share * 1_000 + 1e-9);
  return (tenths / 10).toFixed(tenths % 10 === 0 ? 0 : 1);
};

/** What can honestly be said of a channel: no figure of it without the traffic behind it. */
export const healthOf = ({ requests, successShare, medianMs, p95Ms }: ChannelStatus): Health =>
  successShare === null
    ? { kind: 'little', requests }
    : {
        kind: 'figures',
        share: percentText(successShare),
        times: medianMs === null || p95Ms === null ? null : { median: secondsText(medianMs), p95: secondsText(p95Ms) },
        well: successShare >= WELL,
      };
