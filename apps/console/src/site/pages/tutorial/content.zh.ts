import { beginners } from './beginners.zh.js';
import { client } from './client.zh.js';
import { officialConsole } from './console.zh.js';
import { featured } from './featured.zh.js';
import type { Section, SectionId } from './tree.js';

const sections: Record<SectionId, Section> = { ...beginners, ...officialConsole, ...client, ...featured };
export default sections;
