import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

// The API serves the built site from its own origin; while developing, Vite stands in front of it (decisions §1).
const api = process.env['API_URL'] ?? 'http://localhost:8080';

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  server: { proxy: { '/client-user': api } },
  preview: { proxy: { '/client-user': api } },
  // The manifest is what bundle.spec.ts reads to prove that public pages load neither antd nor Refine.
  build: { target: 'es2022', manifest: true, chunkSizeWarningLimit: 1200 },
});
