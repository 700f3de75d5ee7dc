import { grouped } from '../../shared/amounts.js';

/** Formats antd's InputNumber: `8,000,000`. */
export const GROUPED = {
  formatter: (value: number | string | undefined): string =>
    value === undefined || value === '' ? '' : grouped(Number(value)),
  parser: (text: string | undefined): number => Number((text ?? '').replaceAll(',', '')),
};
