import { grouped } from '../../../shared/amounts.js';

/** Props of antd's InputNumber for a whole number with thousands separators; an empty field stays empty and shows its placeholder. */
export const wholeNumber = {
  min: 0,
  precision: 0,
  inputMode: 'numeric',
  formatter: (value: string | number | undefined): string =>
    value === undefined || value === '' ? '' : grouped(Number(value)),
  parser: (text: string | undefined): string => (text ?? '').replace(/\D/g, ''),
} as const;
