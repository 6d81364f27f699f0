import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { LocalPostgres } from '../src/dev/local-postgres.ts'

// Prints a lot at once: a process that gets no CPU time reads all of it together.
test('a server is ready even if it has logged a lot since reporting so', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'investor-token-postgres-'))
  await chmod(folder, 0o755)
  const executable = join(folder, 'postgres')
  const printed = `database system is ready to accept connections\\n${'ERROR:  canceling statement\\n'.repeat(100)}`
  await writeFile(executable, `#!/bin/sh\nprintf '${printed}' >&2\nexec sleep 60\n`, { mode: 0o755 })
  const data = join(folder, 'data')
  await mkdir(data)
  await writeFile(join(data, 'PG_VERSION'), '15\n')
  const server = await LocalPostgres.open(data, { binaries: folder })
  try {
    assert.match(server.url, /^postgres:/)
  } finally {
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  }
})
