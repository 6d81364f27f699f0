import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Header } from '../../../src/platform/api/declare/operation.ts'
import { type ApiResponse, assertError } from '../installation/api-client.ts'

type Ids = Readonly<Record<string, string>>

/** Compiles the declared schemas of responses. */
export const ajv = new Ajv2020({
  strict: false,
  formats: { 'date-time': true, date: true, email: true, currency: true, uint256: true, uuid: true },
})

/** Returns the path with these ids, and with unknown ones for the other parameters. */
export function pathIn({ path }: Pick<Header, 'path'>, ids: Partial<Ids>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? crypto.randomUUID())
}

/** Returns the parts of a response to compare: all except the request id, the date and the rate limit. */
export const comparable = ({ status, text, headers }: ApiResponse) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name)),
})

/** Asserts that ids of another tenant are not found like unknown ids, alone and with ids of the caller's tenant. */
export async function assertForeignIsUnknown(
  { path }: Pick<Header, 'path'>,
  { mine, theirs }: { mine: Ids; theirs: Ids },
  call: (ids: Ids) => Promise<ApiResponse>,
): Promise<void> {
  // Sends them one after the other: some operations allow one request of a tenant at a time.
  const unknown = await call({})
  assertError(unknown, 404, 'not_found')
  assert.deepEqual(comparable(await call(theirs)), comparable(unknown))
  // Combines my parent with their child, and vice versa.
  const names = [...path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter)
  if (names.length < 2) return
  for (const foreign of names)
    assertError(await call({ ...mine, [foreign]: theirs[foreign] ?? crypto.randomUUID() }), 404, 'not_found')
}

/** Asserts that the request is rejected, and that the error names this part of it. */
export function assertRejected(response: ApiResponse, location: { parameter: string } | { pointer: string }): void {
  assertError(response, 400, 'validation_failed')
  const { detail: _, ...named } = response.body.error.errors[0]
  assert.deepEqual(named, location)
}
