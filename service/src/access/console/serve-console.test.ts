import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { serveConsole } from './serve-console.ts'

test('a missing console is 503 with the command that builds it; a new build is served without a restart', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'console-'))
  t.after(() => rm(folder, { recursive: true }))
  const app = Fastify()
  serveConsole(app, { environment: 'staging', folder: pathToFileURL(`${folder}/`) })
  const missing = await app.inject('/console/orders')
  assert.equal(missing.statusCode, 503)
  assert.match(missing.body, /npm run console:build/)
  assert.match(String(missing.headers['content-security-policy']), /^default-src 'none'/)

  await mkdir(join(folder, 'static'))
  await writeFile(join(folder, 'index.html'), '<p>%ENVIRONMENT% %CSP_NONCE%</p>')
  const built = await app.inject('/console/orders')
  assert.equal(built.statusCode, 200)
  assert.match(built.body, /^<p>staging [A-Za-z0-9+/=]{24}<\/p>$/)
})
