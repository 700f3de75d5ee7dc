import { TABLE_HEIGHT } from '@yiqiao/domain/limits';
import type { CSSProperties, ReactNode } from 'react';
import './list-table.css';

const HEIGHT = { '--table-height': `${TABLE_HEIGHT}px` } as CSSProperties;

/** Where the rows of a list are, as high as specification §9 says; what does not fit scrolls inside, by keyboard too, below the head. */
export const ListArea = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="lt-area" style={HEIGHT} role="group" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

/** What stands in the place of the rows, as high as they would be: nothing jumps when they come. */
export const ListPlace = ({ children }: { children: ReactNode }) => (
  <div className="lt-place" style={HEIGHT}>
    {children}
  </div>
);
