import { TABLE_HEIGHT } from '@yiqiao/domain/limits';
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import './list-table.css';

const HEIGHT = { '--table-height': `${TABLE_HEIGHT}px` } as CSSProperties;

/** Marks the edges of a scroll area beyond which there is more: the style sheet draws a shadow there. */
function useCutEdges(area: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const box = area.current;
    if (!box) return;
    const mark = (): void => {
      const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = box;
      box.parentElement?.toggleAttribute('data-more-right', scrollLeft + clientWidth < scrollWidth - 1);
      box.parentElement?.toggleAttribute('data-more-below', scrollTop + clientHeight < scrollHeight - 1);
    };
    const sizes = new ResizeObserver(mark);
    sizes.observe(box);
    for (const child of box.children) sizes.observe(child);
    box.addEventListener('scroll', mark, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', mark);
    };
  }, [area]);
}

/** The scroll area of the rows, as high as specification §9 says; it also scrolls by keyboard, below a fixed head. */
export function ListArea({ label, children }: { label: string; children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  useCutEdges(area);
  return (
    <div className="lt-frame">
      <div className="lt-area" style={HEIGHT} role="group" aria-label={label} tabIndex={0} ref={area}>
        {children}
      </div>
    </div>
  );
}

/** Replaces the rows at the same height, so that nothing jumps when they load. */
export const ListPlace = ({ children }: { children: ReactNode }) => (
  <div className="lt-place" style={HEIGHT}>
    {children}
  </div>
);
