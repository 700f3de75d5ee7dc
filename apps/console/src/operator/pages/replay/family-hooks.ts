import { useEffect, useRef, useState } from 'react';
import type { useSearchParams } from 'react-router';
import { windowAround, type Span, type Zoom } from './window.js';

const PACE_MS = 500;

export function useWindow(moment: number | null, zoom: Zoom, life: Span | null): Span | null {
  const [kept, keep] = useState<{ zoom: Zoom; span: Span } | null>(null);
  if (moment === null || life === null) return null;
  const span = windowAround(moment, { zoom, life, before: kept?.zoom === zoom ? kept.span : null });
  if (kept?.zoom !== zoom || kept.span.from !== span.from || kept.span.to !== span.to) keep({ zoom, span });
  return kept?.zoom === zoom && kept.span.from === span.from && kept.span.to === span.to ? kept.span : span;
}

export function useRestingAddress(
  { entry, zoom }: { entry: string | null; zoom: Zoom | null },
  setQuery: ReturnType<typeof useSearchParams>[1],
): void {
  const latest = useRef(setQuery);
  useEffect(() => {
    latest.current = setQuery;
  });
  useEffect(() => {
    if (entry === null) return;
    const address = new URLSearchParams({ scope: 'family', entry, ...(zoom === null ? {} : { zoom }) });
    const timer = setTimeout(() => latest.current(address, { replace: true, preventScrollReset: true }), 300);
    return () => clearTimeout(timer);
  }, [entry, zoom]);
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

export function useFamilyKeys(acts: {
  previous: () => void;
  next: () => void;
  play: () => void;
  compare: () => void;
}): void {
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if (defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
      if (target.closest('input, textarea, select, dialog, .ant-modal')) return;
      if (key === ' ' && target.closest('button, a, summary')) return;
      const { previous, next, play, compare } = latest.current;
      const act = { ArrowLeft: previous, ArrowRight: next, ' ': play, d: compare, D: compare }[key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
