import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../../service/src/operations.ts'
import { operatorApiOperations, operatorOperations } from '../../service/src/operator-operations.ts'
import type { Operation } from '../../service/src/platform/api/declare/operation.ts'
import { Fixtures } from '../../service/test/harness/data/fixtures.ts'
import { createWorld } from '../../service/test/harness/data/world.ts'
import {
  integratorBodies,
  integratorPreparations,
} from '../../service/test/harness/every-operation/integrator-requests.ts'
import type { ApiResponse, Call } from '../../service/test/harness/installation/api-client.ts'
import { redisUrl } from '../../service/test/harness/installation/database.ts'
import type { RunningProcess } from '../../service/test/harness/installation/process.ts'
import { RunningApi } from '../../service/test/harness/installation/running-api.ts'
import { TestInstallation } from '../../service/test/harness/installation/test-installation.ts'
import type { TestOperator } from '../../service/test/harness/installation/test-users.ts'
import { camt053 } from '../../service/test/harness/money/camt053.ts'
import type { OperatorWorld } from '../../service/test/harness/operator-requests/operator-request.ts'
import { operatorRequestOf } from '../../service/test/harness/operator-requests/operator-requests.ts'
import { createOperatorWorld } from '../../service/test/harness/operator-requests/operator-world.ts'
import { account } from '../../service/test/harness/operator-requests/prepared-sales.ts'
import { until } from '../../service/test/harness/wait.ts'
import { podman } from './containers.ts'
import type { Stack } from './stack.ts'

/**
 * Fails unless uploads, downloads and every operation work. Pauses the containers of worker and indexer, except for the
 * export that a worker writes: they would process the subject of a request before it is sent.
 */
export async function useProduct(stack: Stack, secret: SecretOf, background: readonly string[]): Promise<void> {
  const product = new InstalledProduct(stack, secret)
  try {
    await product.uploadAndDownload()
    await podman('pause', ...background)
    try {
      assert.deepEqual(await product.callEveryOperation(), [])
    } finally {
      await podman('unpause', ...background)
    }
  } finally {
    await product.end()
  }
}

/** Returns a secret of the installation by the name of its setting. */
type SecretOf = (name: string) => string

/** Uses an installation like its people and integrators. Prepares the subjects of their requests in its database. */
class InstalledProduct {
  readonly #installation: TestInstallation
  readonly #api: RunningApi
  readonly #operatorApi: RunningApi

  constructor(stack: Stack, secret: SecretOf) {
    this.#installation = new TestInstallation({
      DATABASE_URL: stack.secrets['OWNER_DATABASE_URL'] ?? '',
      REDIS_URL: redisUrl,
      TOKEN_SIGNING_KEYS: secret('TOKEN_SIGNING_KEYS'),
      SECRET_PEPPERS: secret('SECRET_PEPPERS'),
      DATA_MASTER_KEYS: secret('DATA_MASTER_KEYS'),
    })
    const container = { output: [] } as unknown as RunningProcess
    this.#api = new RunningApi(container, stack.urlOf('api'), '/api')
    this.#operatorApi = new RunningApi(container, stack.urlOf('operator-api'), '/operator')
  }

  end(): Promise<void> {
    return this.#installation.end()
  }

  /** Imports a statement, uploads a document, reads both again, and downloads an export that the worker writes. */
  async uploadAndDownload(): Promise<void> {
    const tenantId = await this.#installation.createTenant('Uploads')
    const accountId = await account(this.#installation, { tenantId })
    // Creates an offering with the collection account of the statement.
    await new Fixtures(this.#installation).offering(tenantId)
    const { token } = await this.#installation.createOperator(tenantId)
    const call = async (method: string, path: string, options: Call = {}): Promise<ApiResponse> => {
      const headers = { 'x-idempotency-key': crypto.randomUUID(), ...options.headers }
      const response = await this.#operatorApi.call(method, path, { token, ...options, headers })
      assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.text}`)
      return response
    }
    const entries = Array.from({ length: 500 }, (_, index) => ({ amount: `${index + 1}.00` }))
    const statement = camt053({ entries })
    const xml = { 'content-type': 'application/xml' }
    const { body: imported } = await call('POST', '/statements', { body: statement, headers: xml })
    const file = { fileType: 'application/xml' }
    const stored = await call('POST', `/statements/${imported.statements[0].id}/download`, file)
    assert.equal(stored.text, statement)

    const text = randomBytes(2_000_000).toString('base64')
    const plain = { 'content-type': 'text/plain' }
    const uploaded = await call('POST', `/accounts/${accountId}/documents?kind=other`, {
      body: text,
      headers: plain,
    })
    assert.equal(uploaded.body.bytes, text.length)

    const { body: started } = await call('POST', '/exports', { body: { kind: 'payments' } })
    const isDone = async () => {
      // One person may send 600 requests a minute.
      await sleep(500)
      const { state } = (await call('GET', `/exports/${started.id}`)).body
      assert.ok(['running', 'done'].includes(state), state)
      return state === 'done'
    }
    await until('the worker has written the export', isDone, 180_000)
    const exported = await call('POST', `/exports/${started.id}/download`, { fileType: 'text/csv' })
    assert.match(exported.text, /^"[a-z_]+"(,"[a-z_]+")+\r\n/)
  }

  /** Sends a valid request of every operation. Returns those that did not succeed, with their responses. */
  async callEveryOperation(): Promise<string[]> {
    const failed = [...(await this.#callAsIntegrator()), ...(await this.#callAsOperator())]
    for (const [api, list, known] of [
      [this.#api, operations, operations.filter(({ kind }) => kind === 'tenant')],
      [this.#operatorApi, operatorApiOperations, operatorOperations],
    ] as const)
      for (const operation of list.filter((one) => !(known as readonly Operation[]).includes(one)))
        failed.push(...(await callWithoutCaller(api, operation)))
    return failed
  }

  async #callAsIntegrator(): Promise<string[]> {
    const world = await createWorld(this.#installation, this.#api, 'Integrator')
    const failed: string[] = []
    for (const { kind, header } of operations) {
      if (kind !== 'tenant') continue
      const own = await integratorPreparations[header.id]?.(world, this.#api, this.#installation)
      const body = own?.body ?? integratorBodies[header.id]?.(world)
      const path = pathIn(header.path, { ...world, ...own?.ids })
      const headers = { 'x-idempotency-key': crypto.randomUUID() }
      const call = { token: world.token, headers, ...(body === undefined ? {} : { body }) }
      const { status, text } = await this.#api.call(header.method, path, { ...call, fileType: header.success.file })
      if (status !== header.success.status) failed.push(`${header.method} ${header.path}: ${status} ${text}`)
    }
    return failed
  }

  async #callAsOperator(): Promise<string[]> {
    const world = await createOperatorWorld(this.#installation, 'Operator')
    const failed: string[] = []
    for (const { header } of operatorOperations) {
      const request = operatorRequestOf(header)
      const caller = await this.#newCaller(world)
      const prepared = await request.prepare?.(this.#installation, world, this.#operatorApi, caller)
      const ids: OperatorWorld = { ...world, ...prepared }
      const body = request.body?.(ids)
      const query = request.query?.(world) ?? []
      const path = pathIn(header.path, { ...ids, ...request.idsOf?.(ids) })
      const { status, text } = await this.#operatorApi.call(
        header.method,
        query.length > 0 ? `${path}?${query.join('&')}` : path,
        {
          ...(header.session ? { cookie: caller.cookie } : { token: caller.token }),
          fileType: header.success.file,
          headers: { 'x-idempotency-key': crypto.randomUUID(), ...request.headers },
          ...(body === undefined ? {} : { body }),
        },
      )
      // Many writes of one person wait for a second person.
      if (![header.success.status, 202].includes(status))
        failed.push(`${header.method} ${header.path}: ${status} ${text}`)
    }
    return failed
  }

  /** Creates a caller for each request, because a request can end the session or change the user of its caller. */
  #newCaller({ tenantId }: OperatorWorld): Promise<TestOperator> {
    return this.#installation.createOperator(tenantId)
  }
}

function pathIn(path: string, ids: object): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => (ids as Record<string, string>)[name] ?? crypto.randomUUID())
}

/** Calls operations for signing in, signed notifications and streams, which have other callers than the rest. */
async function callWithoutCaller(api: RunningApi, { header }: Operation): Promise<string[]> {
  const url = `${api.baseUrl}${api.prefix}${pathIn(header.path, {})}`
  const { method } = header
  const content = header.body ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}
  const response = await fetch(url, { method, ...content, redirect: 'manual' })
  await response.body?.cancel()
  return response.status < 500 ? [] : [`${method} ${header.path}: ${response.status}`]
}
