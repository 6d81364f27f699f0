// npm runs this after every installation: writes what is derived from the code and not in git, then builds the SDK, which the
// command line and the example need. An installation for production has no build tools, and needs only the service.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const folders = ['../sdk/node_modules/esbuild', '../node_modules/esbuild']
if (folders.some((folder) => existsSync(new URL(folder, import.meta.url)))) {
  const run = (script: string, ...args: string[]) =>
    execFileSync('npm', ['run', '--silent', script, '--', ...args], { stdio: 'inherit' })
  run('generate', 'operator-openapi', 'cli', 'console')
  run('sdk:build')
}
