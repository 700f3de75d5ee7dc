// React's own code runs before whatever is imported after this; between them the browser handles input (yield-to-main.ts).
import 'react-dom/client';
import { yieldToMain } from './yield-to-main.js';

await yieldToMain();
