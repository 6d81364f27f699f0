import { existsSync } from 'node:fs'

/** The machine's Chromium, if it has one. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)
