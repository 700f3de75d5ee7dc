import { useRef, type PointerEvent } from 'react';
import { percent, type Span } from './window.js';

type SliderProps = {
  label: string;
  span: Span;
  moment: number;
  now: number;
  min: number;
  max: number;
  text: string;
  onSeek: (time: number) => void;
};

/** Where the moment stands in the window. The page's keys move it. */
export function Slider({ label, span, moment, now, min, max, text, onSeek }: SliderProps) {
  const isHeld = useRef(false);
  const left = `${Math.max(0, Math.min(100, percent(moment, span)))}%`;
  const seek = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>): void => {
    const box = currentTarget.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (clientX - box.left) / box.width));
    onSeek(span.from + share * (span.to - span.from));
  };
  return (
    <div
      className="sld"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={now}
      aria-valuetext={text}
      onPointerDown={(event) => {
        isHeld.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event);
      }}
      onPointerMove={(event) => {
        if (isHeld.current) seek(event);
      }}
      onPointerUp={() => {
        isHeld.current = false;
      }}
      onPointerCancel={() => {
        isHeld.current = false;
      }}
    >
      <i className="f" style={{ width: left }} />
      <i className="th" style={{ left }} />
    </div>
  );
}
