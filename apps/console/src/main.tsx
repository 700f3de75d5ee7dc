import './shared/fonts.css';
import './shared/tokens.css';
import './shared/base.css';
import './shared/pieces.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startApp } from './app/start.js';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const app = await startApp();
createRoot(root).render(<StrictMode>{app}</StrictMode>);
