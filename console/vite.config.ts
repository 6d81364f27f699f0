import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Address to which `npm run console:dev` sends requests to the operator API, as printed by `npm run dev`. */
const operatorApi = 'http://localhost:8081'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    // The sign-in pages use /console/assets/.
    assetsDir: 'static',
    // The policy allows images of this server and data: URLs, and no other way to embed a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    manifest: 'manifest.json',
    chunkSizeWarningLimit: 600,
  },
  server: {
    proxy: Object.fromEntries(
      ['/operator', '/console/sign-in', '/console/passkey', '/console/invitation', '/console/assets'].map((path) => [
        path,
        { target: operatorApi },
      ]),
    ),
  },
})
