import { TABLE_HEIGHT } from '@yiqiao/domain/limits';
import type { CSSProperties, ReactNode } from 'react';
import './list-table.css';

const HEIGHT = { '--table-height': `${TABLE_HEIGHT}px` } as CSSProperties;

/** The scroll area of the rows, as high as specification §9 says; it also scrolls by keyboard, below a fixed head. */
export const ListArea = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="lt-area" style={HEIGHT} role="group" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

/** Replaces the rows at the same height, so that nothing jumps when they load. */
export const ListPlace = ({ children }: { children: ReactNode }) => (
  <div className="lt-place" style={HEIGHT}>
    {children}
  </div>
);
