import { addIcons } from '../shared/ui/icon.js';
import '../shared/ui/more-icons.js';

/** Icons of the operator console alone. */
const ICONS = {
  bars: 'M4 19V10M9.3 19V5M14.7 19v-6M20 19V8M3 19h18',
  broken:
    'm15.5 13.5 3-3A4 4 0 0 0 13 4.8l-1.5 1.5M8.5 10.5l-3 3a4 4 0 0 0 5.5 5.7l1.5-1.5M9 3.5V6M4 8h2.5M15 20.5V18M20 16h-2.5',
  card: 'M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3 10h18M7 15h4',
  channels:
    'M8.3 18a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0zM20.3 6a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0zM8.3 18H15a3 3 0 0 0 0-6H9a3 3 0 0 1 0-6h6.7',
  clock: 'M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0zM12 7v5l3.5 2',
  file: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  history: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4.5l3 1.8',
  key: 'M12.2 15a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0zM11 12l8.5-8.5M16 7l2.5 2.5M13.5 9.5l2 2',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  lock: 'M7 11h10a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2zM8 11V8a4 4 0 0 1 8 0v3',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  next: 'm9 6 6 6-6 6',
  noSignal: 'M3 3l18 18M5 12a10 10 0 0 1 4-2.5M19 12a10 10 0 0 0-5-2.9M8.5 15.5a5 5 0 0 1 6-.5M12 19h.01',
  notices: 'M4 10v4h3l9 5V5l-9 5zM19 9.5a3.5 3.5 0 0 1 0 5',
  pencil: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  phone: 'M9 3h6a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  pulse: 'M3 12h4l2.5-6.5 4.5 13 2.7-6.5H21',
  screen:
    'M4.5 5h15A1.5 1.5 0 0 1 21 6.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 15.5v-9A1.5 1.5 0 0 1 4.5 5zM8.5 20.5h7',
  signOut: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  stamp:
    'M5 20h14M6 16.5h12V14l-4-1.5c-.6-2 .8-3.5.8-5.3A2.8 2.8 0 0 0 12 4.3a2.8 2.8 0 0 0-2.8 2.9c0 1.8 1.4 3.3.8 5.3L6 14z',
  sun: 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4',
  user: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM4 20c1-4 4-6 8-6s7 2 8 6',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.3 8.3h.01',
} as const;

type OperatorIcons = Record<keyof typeof ICONS, string>;

declare module '../shared/ui/icon.js' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface EntryIcons extends OperatorIcons {}
}

addIcons(ICONS);
