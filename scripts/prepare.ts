// npm runs this after every installation. The command line and the example need the SDK built; an installation for
// production has no build tools, and needs only the service.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const folders = ['../sdk/node_modules/esbuild', '../node_modules/esbuild']
if (folders.some((folder) => existsSync(new URL(folder, import.meta.url))))
  execFileSync('npm', ['run', '--silent', 'sdk:build'], { stdio: 'inherit' })
