import type { PaginationProps } from 'antd';
import { cloneElement, isValidElement, type ReactElement } from 'react';
import { antdLocale } from '../refine/locale.js';

const NAMES = { prev: 'prev_page', next: 'next_page', 'jump-prev': 'prev_5', 'jump-next': 'next_5' } as const;

/** `itemRender` of antd's Pagination: its arrows have no name but that of their icon. */
export const namedPages: NonNullable<PaginationProps['itemRender']> = (_page, type, item) => {
  if (type === 'page' || !isValidElement(item)) return item;
  const name = antdLocale().Pagination?.[NAMES[type]];
  return cloneElement(item as ReactElement<Record<string, unknown>>, { 'aria-label': name, role: 'button' });
};
