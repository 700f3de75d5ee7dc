// The router's own code runs before whatever is imported after this, and the browser has its turn between them (breath.ts).
import 'react-router/dom';
import { breath } from './breath.js';

await breath();
