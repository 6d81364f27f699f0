import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { KnownCallers, rejectionsMax } from './known-callers.ts'

const presenting = (headers: Record<string, string>) => ({ headers }) as unknown as FastifyRequest

test('a caller with very many rejected requests gets 429 without further work, and no other caller does', () => {
  const callers = new KnownCallers()
  const flooding = { tenantId: 'a', callerId: 'flooding', requestsPerMinute: 30 }
  const other = { tenantId: 'a', callerId: 'other', requestsPerMinute: 30 }
  callers.remember(presenting({ authorization: 'Bearer x' }), flooding)
  callers.remember(presenting({ cookie: 'a=b; __Host-session=y' }), other)
  const [found, colleague] = [
    callers.find(presenting({ authorization: 'Bearer x' })),
    callers.find(presenting({ cookie: '__Host-session=y' })),
  ]
  assert.deepEqual([found, colleague], [flooding, other])
  assert.equal(callers.find(presenting({ authorization: 'Bearer z' })), undefined)
  const limit = rejectionsMax(flooding)
  // Far above the 30 requests that are accepted: a client that keeps polling must recover.
  assert.equal(limit, 1_200)
  for (let count = 0; count < limit - 1; count += 1) callers.countRejection(flooding)
  assert.equal(callers.flood(flooding), undefined)
  callers.countRejection(flooding)
  const { status, code, headers } = callers.flood(flooding) ?? {}
  assert.deepEqual([status, code], [429, 'rate_limited'])
  assert.match(headers?.['retry-after'] ?? '', /^([1-9]|[1-5]\d|60)$/)
  assert.equal(callers.flood(other), undefined)
})

test('a caller with a high limit may have twice as many requests rejected', () => {
  assert.equal(rejectionsMax({ requestsPerMinute: 6_000 }), 12_000)
})
