import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { operationsWithoutScreen } from './operations-without-screen.ts'

interface Called {
  readonly method: string
  /** Path with `*` in place of an expression in the source. */
  readonly path: string
  readonly source: string
}

/** Calls of the client: `api.post('/orders/{orderId}/accept', …)`, including those with an expression in the path. */
const call = /\bapi\.(get|post|patch|download)\(\s*(['`])([^'`]+)\2/g
/** Requests without the client: the event stream. */
const rawCall = /\bfetch\(\s*['`]\/operator(\/[\w/-]+)['`]/g
/** Calls that first request the options of a passkey. */
const passkeyCall = /\bsendPasskey\('([\w/-]+)'/g

function callsIn(folder: URL): Called[] {
  return globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['api/generated/**'] }).flatMap((file) => {
    const source = readFileSync(new URL(file, folder), 'utf8')
    const typed = [...source.matchAll(call)].map(([, verb = '', , path = '']) => ({
      method: verb === 'download' ? 'POST' : verb.toUpperCase(),
      path,
      source,
    }))
    const raw = [...source.matchAll(rawCall)].map(([, path = '']) => ({ method: '*', path, source }))
    const passkeys = [...source.matchAll(passkeyCall)].flatMap(([, path = '']) =>
      [path, `${path}/options`].map((one) => ({ method: 'POST', path: one, source })),
    )
    return [...typed, ...raw, ...passkeys].map((one) => ({ ...one, path: one.path.replaceAll(/\$\{[^}]*\}/g, '*') }))
  })
}

/** Matches an expression with one segment, which the same file must contain as a literal: `'confirm'`. */
function isCalled({ method, path }: { method: string; path: string }, calls: readonly Called[]): boolean {
  const wanted = path.split('/')
  return calls.some((called) => {
    const parts = called.path.split('/')
    if ((called.method !== '*' && called.method !== method) || parts.length !== wanted.length) return false
    return parts.every((part, index) => {
      const segment = wanted[index] ?? ''
      return part === '*' ? called.source.includes(`'${segment}'`) : part === segment
    })
  })
}

test('every operation of the operator API is used by a screen, or the table says why not', () => {
  const { paths }: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
    readFileSync(new URL('../../service/operator-openapi.json', import.meta.url), 'utf8'),
  )
  const calls = callsIn(new URL('../src/', import.meta.url))
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      method: method.toUpperCase(),
      path,
      id: operationId,
    })),
  )
  const unused = operations.filter((operation) => !isCalled(operation, calls)).map(({ id }) => id)
  const listed = Object.keys(operationsWithoutScreen)
  assert.deepEqual(
    {
      neitherUsedNorListed: unused.filter((id) => !listed.includes(id)),
      staleEntries: listed.filter((id) => !unused.includes(id)),
    },
    { neitherUsedNorListed: [], staleEntries: [] },
  )
})
