import { beginners } from './beginners.en.js';
import { client } from './client.en.js';
import { officialConsole } from './console.en.js';
import { featured } from './featured.en.js';
import type { Section, SectionId } from './tree.js';

const sections: Record<SectionId, Section> = { ...beginners, ...officialConsole, ...client, ...featured };
export default sections;
