import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** All rows of a test database as text: of every schema, the job queue included. */
export async function dumpData(url: string): Promise<string> {
  const { stdout } = await promisify(execFile)('pg_dump', ['--data-only', '--no-owner', url], {
    maxBuffer: 256 * 1024 * 1024,
  })
  return stdout
}
