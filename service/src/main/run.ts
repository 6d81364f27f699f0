// The entry of the image, which has no shell and no npm: `run.ts api` or `run.ts maintain migrate`.
import { fileURLToPath } from 'node:url'

const servers = ['api', 'operator-api', 'worker', 'indexer']
const [node = '', , name = '', ...rest] = process.argv

if (![...servers, 'maintain'].includes(name)) {
  process.stderr.write(`The first argument is invalid: it must be one of ${servers.join(', ')} or maintain.\n`)
  process.exit(1)
}

// The first process of a container ignores signals that it does not handle: a migration would keep running after a stop
// until the grace period of its container ends. The servers install their own handlers.
const exit = () => process.exit(143)
process.on('SIGTERM', exit).on('SIGINT', exit)

const file = name === 'maintain' ? '../maintain/maintain.ts' : `./${name}.ts`
process.argv = [node, fileURLToPath(new URL(file, import.meta.url)), ...rest]
// Loaded first, because modules that are already loaded cannot be instrumented.
if (servers.includes(name)) await import('./telemetry.ts')
await import(file)
process.off('SIGTERM', exit).off('SIGINT', exit)
