import type { PaginationProps, TableProps } from 'antd';
import { cloneElement, isValidElement, type ReactElement } from 'react';
import { antdLocale } from '../refine/locale.js';

const NAMES = { prev: 'prev_page', next: 'next_page', 'jump-prev': 'prev_5', 'jump-next': 'next_5' } as const;

/** `itemRender` of antd's Pagination: its arrows have no name but that of their icon. */
export const namedPages: NonNullable<PaginationProps['itemRender']> = (_page, type, item) => {
  if (type === 'page' || !isValidElement(item)) return item;
  const name = antdLocale().Pagination?.[NAMES[type]];
  return cloneElement(item as ReactElement<Record<string, unknown>>, { 'aria-label': name, role: 'button' });
};

/** The pages of a table of Refine in a panel: small, with named arrows, and none while all rows fit. */
export const panelPages = (pagination: TableProps['pagination']): TableProps['pagination'] =>
  pagination && {
    ...pagination,
    hideOnSinglePage: true,
    showSizeChanger: false,
    size: 'small',
    itemRender: namedPages,
  };
