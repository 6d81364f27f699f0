import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Returns all rows of a test database as text: of every schema, including the job queue. */
export async function dumpData(url: string): Promise<string> {
  const { stdout } = await promisify(execFile)('pg_dump', ['--data-only', '--no-owner', url], {
    maxBuffer: 256 * 1024 * 1024,
  })
  return stdout
}
