import { useEffect, useRef, useState } from 'react';
import { windowAround, type Span, type Zoom } from './window.js';

const PACE_MS = 500;

export function useWindow(moment: number | null, zoom: Zoom, life: Span | null): Span | null {
  const [kept, keep] = useState<{ zoom: Zoom; span: Span } | null>(null);
  if (moment === null || life === null) return null;
  const span = windowAround(moment, { zoom, life, before: kept?.zoom === zoom ? kept.span : null });
  if (kept?.zoom !== zoom || kept.span.from !== span.from || kept.span.to !== span.to) keep({ zoom, span });
  return kept?.zoom === zoom && kept.span.from === span.from && kept.span.to === span.to ? kept.span : span;
}

export function usePlayingOn(playing: boolean, step: () => void): void {
  const latest = useRef(step);
  useEffect(() => {
    latest.current = step;
  });
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => latest.current(), PACE_MS);
    return () => clearInterval(timer);
  }, [playing]);
}
