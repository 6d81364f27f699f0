import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import { errorsGuide } from '../../scripts/errors-guide.ts'
import { llmsText } from '../../scripts/llms-text.ts'
import { postmanCollection } from '../../scripts/postman-collection.ts'
import { errorTable } from '../src/error-table.ts'
import { describedOperations } from '../src/operations.ts'
import { type RunningApi, TestInstallation } from './harness/service.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('npm run guides', () => {
  test('the committed files are current', () => {
    assert.equal(read('docs/guides/errors.md'), errorsGuide())
    assert.equal(read('docs/postman_collection.json'), `${JSON.stringify(postmanCollection(), undefined, 2)}\n`)
    assert.equal(read('llms.txt'), llmsText())
  })

  test('every error has a section with cause and remedy', () => {
    const sections = read('docs/guides/errors.md').split('\n### ').slice(1)
    assert.deepEqual(
      sections.map((section) => section.split('\n')[0]).toSorted(),
      errorTable.map(({ code }) => code).toSorted(),
    )
    for (const { code, cause, remedy } of errorTable) {
      const section = sections.find((one) => one.startsWith(`${code}\n`))
      assert.ok(section?.includes(`**Cause.** ${cause}`), code)
      assert.ok(section?.includes(`**Remedy.** ${remedy}`), code)
    }
  })

  test('no page has a broken link', () => {
    const pages = globSync(['*.md', 'docs/**/*.md', '{cli,contracts,sdk,examples/*}/*.md'], { cwd: root })
    assert.ok(pages.length > 30)
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, path = '']) => path)
        .filter((path) => !existsSync(join(root, dirname(page), path)))
        .map((path) => `${page}: ${path}`),
    )
    assert.deepEqual(broken, [])
  })

  test('llms.txt has no broken link', () => {
    const links = [...read('llms.txt').matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, path = '']) => path)
    assert.ok(links.length > 10)
    for (const path of links) assert.ok(read(path).length > 0)
  })
})

/** Errors of the operations themselves: the examples name ids and secrets that do not exist. */
const reached = ['not_found', 'invalid_client', 'simulation_not_possible', 'signature_invalid']

interface PostmanRequest {
  name: string
  request: {
    method: string
    url: { raw: string; variable: { key: string; value: string }[] }
    header: { key: string; value: string }[]
    body?: { raw: string }
  }
}

describe('the Postman collection', () => {
  let installation: TestInstallation
  let api: RunningApi
  const collection = JSON.parse(read('docs/postman_collection.json')) as {
    variable: { key: string; value: string }[]
    event: [{ script: { exec: string[] } }]
    item: { item: PostmanRequest[] }[]
  }
  const requests = collection.item.flatMap(({ item }) => item)

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startApi()
  })
  after(() => installation.end())

  /** The part of Postman's script API that our script uses. */
  async function runScript(variables: Map<string, string>, path: string): Promise<void> {
    const sent: Promise<void>[] = []
    const send = (
      {
        url,
        method,
        header,
        body,
      }: { url: string; method: string; header: Record<string, string>; body: { raw: string } },
      done: (error: unknown, response: unknown) => void,
    ) =>
      sent.push(
        fetch(url, { method, headers: header, body: body.raw }).then(async (response) => {
          const text = await response.text()
          done(null, { code: response.status, text: () => text, json: () => JSON.parse(text) })
        }),
      )
    const pm = {
      collectionVariables: variables,
      request: { url: { getPath: () => path } },
      sendRequest: send,
    }
    vm.runInNewContext(`(function () {\n${collection.event[0].script.exec.join('\n')}\n})()`, {
      pm,
      Date,
      JSON,
      Number,
    })
    await Promise.all(sent)
  }

  test('has every operation once, and each request reaches its operation', async () => {
    assert.deepEqual(
      requests.map(({ name }) => name).toSorted(),
      describedOperations.map(({ header }) => header.summary).toSorted(),
    )
    const credential = await installation.issueCredential(await installation.createTenant('A'), {
      requestsPerMinute: 1_000,
    })
    const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
    variables.set('base_url', `${api.baseUrl}/api`)
    variables.set('client_id', credential.clientId)
    variables.set('client_secret', credential.clientSecret)
    await runScript(variables, '/api/accounts')
    assert.ok(variables.get('access_token'), 'the script requested a token')
    const filled = (text: string) =>
      text
        .replaceAll('{{$guid}}', crypto.randomUUID())
        .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '')
    for (const { name, request } of requests) {
      const values = new Map(request.url.variable.map(({ key, value }) => [key, value]))
      const url = filled(request.url.raw).replaceAll(/\/:(\w+)/g, (_, key: string) => `/${values.get(key) ?? ''}`)
      const response = await fetch(url, {
        method: request.method,
        headers: {
          authorization: `Bearer ${variables.get('access_token')}`,
          ...Object.fromEntries(request.header.map(({ key, value }) => [key, filled(value)])),
        },
        ...(request.body ? { body: request.body.raw } : {}),
      })
      // The examples name ids that do not exist: the operation itself must respond, and accept the body.
      const { error } = (await response.json()) as { error?: { code: string } }
      const isReached = response.ok || reached.includes(error?.code ?? '')
      assert.ok(isReached, `${name}: ${response.status} ${error?.code}`)
    }
  })
})
