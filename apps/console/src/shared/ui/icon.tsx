/** Line icons on a 24 px grid, stroke 1.6, from the mock-ups. Decorative: adjacent text names them. */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  alert: 'M12 4 2.5 20h19zM12 10v4.5M12 17.5v.01',
  back: 'M19 12H5m6-6-6 6 6 6',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M10 8h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2zM16 8V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h3',
  down: 'm6 9 6 6 6-6',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14',
  eye: 'M2.5 12C5 7.5 8.2 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.7 6.5-9.5 6.5s-7-2-9.5-6.5zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  eyeOff:
    'M2.5 12C5 7.5 8.2 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.7 6.5-9.5 6.5s-7-2-9.5-6.5zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM4 4l16 16',
  forward: 'M5 12h14m-6-6 6 6-6 6',
  globe: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  info: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM12 11v5.5M12 7.5v.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  refresh: 'M20 11a8 8 0 0 0-14.5-3.5L4 9M4 4v5h5M4 13a8 8 0 0 0 14.5 3.5L20 15M20 20v-5h-5',
  search: 'M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0zM16 16l4.5 4.5',
  shield: 'M12 3 5 6v6c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6zM9 12l2.2 2.2L15.5 10',
} as const;

/** Icons that only one entry or one part needs; it adds them to this interface and with `addIcons`. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface EntryIcons {}
export type IconName = keyof typeof PATHS | keyof EntryIcons;

const paths = new Map<string, string>(Object.entries(PATHS));

export function addIcons(more: Readonly<Record<string, string>>): void {
  for (const [name, path] of Object.entries(more)) paths.set(name, path);
}

export function Icon({ name, className }: { name: IconName; className?: string }) {
  const path = paths.get(name);
  // Thrown while a public page is prerendered, so that the build fails.
  if (path === undefined) throw new Error(`no icon ${name}`);
  return (
    <svg className={className ? `icon ${className}` : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
