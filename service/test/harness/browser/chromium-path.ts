import { existsSync } from 'node:fs'

const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The machine's Chromium, if it has one. Headless, it needs a fifth less CPU. */
export const chromiumPath = programs.map((name) => `/usr/bin/${name}`).find(existsSync)
