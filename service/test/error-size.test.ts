import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { assertError } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

describe('the size of an error response', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApi()

  const nul = '"\\u0000",'
  const bodies: Record<string, string> = {
    'thousands of wrong elements': `{"client_id":"a","client_secret":"b","scopes":[${'1,'.repeat(30_000)}1]}`,
    'thousands of wrong names': `{${Array.from({ length: 3_000 }, (_, index) => `"\\u0000${index}":1`).join()}}`,
    'deeply nested wrong text': `{"a":${'['.repeat(20_000)}${nul.repeat(1_000)}1${']'.repeat(20_000)}}`,
    'wrong text below a long name': `{"${'a'.repeat(50_000)}":[${nul.repeat(1_000)}1]}`,
  }

  for (const [what, body] of Object.entries(bodies))
    test(`${what}: an anonymous caller gets back fewer bytes than it sent`, async () => {
      const response = await api.call('POST', '/auth', { body })
      assertError(response, 400, 'validation_failed')
      assert.ok(response.text.length < body.length, `${body.length} bytes got a response of ${response.text.length}`)
    })
})
