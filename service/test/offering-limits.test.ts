import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { selectDutyHolders } from '../src/access/users/user.sql.ts'
import { operatorOperations } from '../src/operator-operations.ts'
import { isLimitable } from '../src/platform/api/declare/duties.ts'
import { inDirectoryTransaction } from '../src/platform/postgres/cells/tenant-transaction.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import { type ApiResponse, assertError } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import type { TestOperator } from './harness/installation/test-users.ts'
import { operatorRequests } from './harness/operator-requests/operator-requests.ts'
import { createOperatorWorld } from './harness/operator-requests/operator-world.ts'

/** Written by hand: the operations, and whether a duty limited to an offering permits them for its resources. */
const contract = [
  'createOffering | no',
  'updateOffering | yes',
  'closeOffering | yes',
  'openOffering | yes',
  'refundAllOrders | yes',
  'pauseOffering | yes',
  'resumeOffering | yes',
  'changeSaleTerms | yes',
  'setRegisterDetails | yes',
  'uploadOrderDocument | yes',
  'uploadOfferingDocument | yes',
  'setEligibility | yes',
  'inviteAccounts | yes',
  'withdrawInvitation | yes',
  'createOrder | yes',
  'acceptOrder | yes',
  'cancelOrder | yes',
  'extendPaymentDeadline | yes',
  'releaseMintHold | yes',
  'attachTransaction | yes',
  'bumpChainOp | yes',
  'cancelChainOp | yes',
  'retryChainOp | yes',
  'attachToken | yes',
  'setLockUp | yes',
  'resumeMinting | yes',
  'reconcileToken | yes',
  'proposeTokenAction | yes',
  'forceTransfer | yes',
  'bulkAcceptOrder | yes',
  'bulkCancelOrder | yes',
  'bulkExtendPaymentDeadline | yes',
  'bulkReleaseMintHold | yes',
]

describe('duties that are limited to offerings', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startOperatorApi()
  const world = await createOperatorWorld(installation, 'A')
  const unlimited = await installation.createOperator(world.tenantId)
  const otherOfferingId = await new Fixtures(installation).offering(world.tenantId)

  type Header = (typeof operatorOperations)[number]['header']
  type Ids = Readonly<Record<string, string>>
  const limitable = operatorOperations.filter(({ header }) => isLimitable(header.duty))
  const sql = async (text: string, values: unknown[]) => await installation.rows(text, values)
  const limitedTo = (offeringId: string, { duty }: Pick<Header, 'duty'>) =>
    installation.createOperator(world.tenantId, { duties: ['read', duty], offeringIds: [offeringId] })

  const isBulk = ({ id }: Header) => id.startsWith('bulk')
  /** Returns the response, or that of the only item of a bulk request, which is checked like a single request. */
  function itemOf(header: Header, response: ApiResponse): ApiResponse {
    const item = isBulk(header) ? response.body.results?.[0] : undefined
    if (!item) return response
    return { ...response, status: item.status, body: { error: item.error }, text: JSON.stringify(item) }
  }

  /** Creates resources for which the operation succeeds. Returns their ids and their offering. */
  async function prepared(header: Header): Promise<{ ids: Ids; offeringId: string }> {
    const ids: Ids = {
      ...world,
      ...(await operatorRequests[header.id]?.prepare?.(installation, world, api, unlimited)),
    }
    if (header.path.includes(':opId')) {
      const offeringId = await new Fixtures(installation).offering(world.tenantId)
      await sql('update cell.chain_op set offering_id = $1 where id = $2', [offeringId, ids['opId']])
      return { ids, offeringId }
    }
    if (!header.path.includes(':orderId') && !isBulk(header)) return { ids, offeringId: ids['offeringId'] ?? '' }
    const [order] = await sql('select offering_id from cell.token_order where id = $1', [ids['orderId']])
    return { ids, offeringId: order.offering_id }
  }

  async function call(header: Header, who: TestOperator, ids: Ids): Promise<ApiResponse> {
    const path = header.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? crypto.randomUUID())
    const { body: bodyOf, headers = {} } = operatorRequests[header.id] ?? {}
    const body = bodyOf?.({ ...world, ...ids })
    const given = body === undefined ? {} : { body, headers }
    return itemOf(header, await api.call(header.method, path, { token: who.token, ...given }))
  }
  const assertDone = ({ status, text }: ApiResponse, { success, approval }: Header) =>
    assert.equal(status, approval === 'always' ? 202 : success.status, text)

  test('the table contains every operation with a duty that can be limited', () => {
    assert.deepEqual(
      contract.map((row) => row.split(' | ')[0]),
      limitable.map(({ header }) => header.id),
    )
  })

  for (const { header, rule } of limitable) {
    const isPermitted = contract.includes(`${header.id} | yes`)

    test(`${header.id}: unlimited, limited to this offering, limited to another`, async () => {
      for (const limit of ['unlimited', 'this offering', 'another'] as const) {
        const { ids, offeringId } = await prepared(header)
        const who =
          limit === 'unlimited'
            ? unlimited
            : await limitedTo(limit === 'this offering' ? offeringId : otherOfferingId, header)
        const response = await call(header, who, ids)
        if (limit === 'unlimited' || (limit === 'this offering' && isPermitted)) assertDone(response, header)
        else assertError(response, 403, 'insufficient_duty')
      }
    })

    test(`${header.id} of an unknown resource is 403 for a limited duty, as of another offering`, async () => {
      const who = await limitedTo(otherOfferingId, header)
      assertError(await call(header, who, {}), 403, 'insufficient_duty')
    })

    if (header.approval === 'always')
      test(`${header.id}: the second person needs the duty for the same offering, and the proposer keeps it`, async () => {
        const { ids, offeringId } = await prepared(header)
        const proposer = await limitedTo(offeringId, header)
        const { approval_id: approvalId } = (await call(header, proposer, ids)).body
        const second = { duty: rule?.confirmDuty ?? header.duty }
        const [other, same] = [await limitedTo(otherOfferingId, second), await limitedTo(offeringId, second)]
        const decide = (verb: string, { cookie }: TestOperator) =>
          api.call('POST', `/approvals/${approvalId}/${verb}`, { cookie })
        // An unlimited duty to confirm suffices for every offering.
        if (isLimitable(second.duty)) {
          assertError(await decide('confirm', other), 403, 'insufficient_duty')
          assertError(await decide('reject', other), 403, 'insufficient_duty')
        }
        const shown = await api.call('GET', `/approvals/${approvalId}`, { token: same.token })
        assert.equal(shown.body.offering_id, offeringId)
        const limit = (userId: string, to: string) =>
          sql('update directory.operator_duty set offering_ids = $2 where user_id = $1 and duty = $3', [
            userId,
            [to],
            header.duty,
          ])
        await limit(proposer.userId, otherOfferingId)
        assertError(await decide('confirm', same), 409, 'proposer_left')
        await limit(proposer.userId, offeringId)
        const confirmed = await decide('confirm', same)
        assert.equal(confirmed.status, 200, confirmed.text)
      })
  }

  test('a chain op of the whole tenant needs an unlimited duty', async () => {
    const header = limitable.find(({ header: { id } }) => id === 'bumpChainOp')?.header
    assert.ok(header)
    const { ids, offeringId } = await prepared(header)
    await sql('update cell.chain_op set offering_id = null where id = $1', [ids['opId']])
    assertError(await call(header, await limitedTo(offeringId, header), ids), 403, 'insufficient_duty')
    assertDone(await call(header, unlimited, ids), header)
  })

  test('a limit of a duty that cannot be limited permits nothing', async () => {
    const who = await installation.createOperator(world.tenantId, { duties: ['read'] })
    await sql('update directory.operator_duty set offering_ids = $2 where user_id = $1', [
      who.userId,
      [otherOfferingId],
    ])
    assertError(await api.call('GET', '/offerings', { token: who.token }), 403, 'insufficient_duty')
    assertError(await api.call('GET', '/users', { token: who.token }), 403, 'insufficient_duty')
  })

  test('only those who can confirm an approval get a mail about it', async () => {
    const tenantId = await installation.createTenant('B')
    const create = (offeringIds?: string[]) =>
      installation.createOperator(tenantId, { duties: ['token'], ...(offeringIds && { offeringIds }) })
    const [anywhere, here, there] = [await create(), await create([otherOfferingId]), await create([world.offeringId])]
    const holders = async (offeringId: string | null) => {
      const rows = await inDirectoryTransaction(installation.databases, { tenantId, access: 'read' }, (tx) =>
        selectDutyHolders(tx, { tenantId, duty: 'token', offeringId }),
      )
      return rows.map(({ id }) => id)
    }
    assert.deepEqual(await holders(otherOfferingId), [anywhere.userId, here.userId])
    assert.deepEqual(await holders(world.offeringId), [anywhere.userId, there.userId])
    assert.deepEqual(await holders(null), [anywhere.userId])
  })
})
