import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { development, live, problemsOf } from '../../../test/harness/installation/setting-problems.ts'
import { readConfig } from './config.ts'
import { secretSettings } from './secret-files.ts'

describe('secrets in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'investor-token-secrets-'))
  after(() => rmSync(folder, { recursive: true }))
  const fileWith = (content: string) => {
    const file = join(folder, crypto.randomUUID())
    writeFileSync(file, content)
    return file
  }

  test('every secret can be given as a file, with white space around it', () => {
    const chains = { CHAINS: 'anvil=https://node.example.com', PKCS11_MODULE: '/module.so', PKCS11_PIN: '1234' }
    const provider = {
      OIDC_PROVIDERS: 'a=https://id.example.com',
      OIDC_CLIENT_IDS: 'a=b',
      OIDC_CLIENT_SECRETS: 'a=c',
    }
    const logins = Object.fromEntries(
      ['READ', 'WORKER', 'OWNER'].flatMap((login) => [
        [`${login}_DATABASE_URL`, `postgres://${login}@a/b?sslmode=verify-full`],
        [`${login}_CELLS`, `x=postgres://${login}@a/c?sslmode=verify-full`],
      ]),
    )
    const cells = { CELLS: 'x=postgres://a/c?sslmode=verify-full' }
    const plain: Record<string, string> = { ...live, ...cells, ...logins, ...chains, ...provider }
    const names: readonly string[] = secretSettings
    const unread = names.filter((name) => !(name in plain))
    assert.deepEqual(unread, [])
    const asFiles = Object.fromEntries(
      Object.entries(plain).map(([name, value]) =>
        names.includes(name) ? [`${name}_FILE`, fileWith(` ${value}\n`)] : [name, value],
      ),
    )
    const shown = (settings: Record<string, string>) => inspect(readConfig(settings), { depth: 9 })
    assert.equal(shown(asFiles), shown(plain))
  })

  test('a setting and its file, an empty file and a missing one are rejected, without the content', () => {
    const given = { ...development, REDIS_URL: 'redis://a' }
    assert.deepEqual(problemsOf({ ...given, REDIS_URL_FILE: fileWith('redis://b') }), [
      'REDIS_URL_FILE is invalid: REDIS_URL is set too; set one of the two.',
    ])
    assert.deepEqual(problemsOf({ ...development, REDIS_URL_FILE: fileWith(' \n') }), [
      'REDIS_URL_FILE is invalid: the file is empty.',
    ])
    assert.deepEqual(problemsOf({ ...development, REDIS_URL_FILE: join(folder, 'missing') }), [
      'REDIS_URL_FILE is invalid: the file cannot be read (ENOENT).',
    ])
    assert.deepEqual(problemsOf({ ...development, REDIS_URL_FILE: fileWith('secret') }), [
      'REDIS_URL is invalid: it must be a URL that starts with redis:// or rediss://.',
    ])
  })
})
