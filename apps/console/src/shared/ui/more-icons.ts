import { addIcons } from './icon.js';

/** Icons of the consoles and of the home page: other public pages do not bring them along. Whoever shows one imports this file. */
const ICONS = {
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6z',
  grid: 'M5 4h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM14 4h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM5 13h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1zM14 13h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1z',
  image:
    'M5 4h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM10 9.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0zM4 18l5.5-5 4 3.5 3-2.5 4 4',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  mic: 'M12 3a3 3 0 0 1 3 3v6a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM5 11a7 7 0 0 0 14 0M12 18v3',
  pause: 'M9 6v12M15 6v12',
  play: 'M8 5v14l11-7z',
  sparkle: 'M12 4v5m0 6v5M4 12h5m6 0h5',
  swap: 'M4 8h14m-4-4 4 4-4 4M20 16H6m4-4-4 4 4 4',
  users:
    'M12.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM2.5 19c.8-3.3 3.2-5 6.5-5s5.7 1.7 6.5 5M15.5 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .7 3 2.2 3.5 4.5',
} as const;

type MoreIcons = Record<keyof typeof ICONS, string>;

declare module './icon.js' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface EntryIcons extends MoreIcons {}
}

addIcons(ICONS);
