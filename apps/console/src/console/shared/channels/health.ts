import type { listChannelStatus } from '@yiqiao/contracts/channel-traffic';
import type { Response } from '@yiqiao/contracts/endpoint';

/** Health of a channel, measured on real traffic of the last 24 hours. */
export type ChannelStatus = Response<typeof listChannelStatus>[number];

/** `well` is false when 5 % of the requests or more failed. `times` is null when no response could be timed. */
export type Health =
  | { kind: 'figures'; share: string; times: { median: string; p95: string } | null; well: boolean }
  /** Too few requests for statistics. */
  | { kind: 'little'; requests: number };

const WELL = 0.95;

/** Milliseconds as seconds, with as many digits as are significant: `0.08`, `1.4`, `12`. */
export const secondsText = (ms: number): string => {
  if (ms < 10) return '<0.01';
  const decimals = ms < 1_000 ? 2 : ms < 10_000 ? 1 : 0;
  return (ms / 1_000).toFixed(decimals);
};

/** A share from 0 to 1 in per cent, rounded down: 0.9996 is `99.9`. */
export const percentText = (share: number): string => {
  const tenths = Math.floor(share * 1_000 + 1e-9);
  return (tenths / 10).toFixed(tenths % 10 === 0 ? 0 : 1);
};

/** The health to display: no figure without enough traffic behind it. */
export const healthOf = ({ requests, successShare, medianMs, p95Ms }: ChannelStatus): Health =>
  successShare === null
    ? { kind: 'little', requests }
    : {
        kind: 'figures',
        share: percentText(successShare),
        times: medianMs === null || p95Ms === null ? null : { median: secondsText(medianMs), p95: secondsText(p95Ms) },
        well: successShare >= WELL,
      };

/** Whether too many of its requests failed to recommend it. */
export const isUnwell = (status: ChannelStatus): boolean => {
  const health = healthOf(status);
  return health.kind === 'figures' && !health.well;
};
