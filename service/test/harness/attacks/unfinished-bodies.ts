import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorClient } from '../callers/operator-client.ts'
import { UnfinishedRequests } from '../callers/unfinished-requests.ts'
import type { TestTenant } from '../data/tenant.ts'
import type { Attack, AttackResult } from './attack.ts'
import { attackerAddress } from './attack-bystander.ts'
import type { AttackStack } from './attack-stack.ts'

const batches = 16
const perBatch = 16
const probes = 20

/** Needs less than half of the requests that a user may send in a minute. */
export const unfinishedBodiesOfViewer: Attack = {
  name: `a viewer sends ${batches * perBatch} requests whose bodies never arrive`,
  isShort: true,
  run: async (stack) => {
    const api = await stack.operatorApi()
    const [tenant, other] = [await stack.tenant(), await stack.tenant()]
    const viewer = await OperatorClient.create(stack.installation, api, tenant.id, 'viewer')
    const requests = new UnfinishedRequests(api.baseUrl, viewer.who.token, { from: attackerAddress })
    const paths = ['/operator/notes', '/operator/search']
    return sendUnfinished(requests, { paths, callOnce: () => viewer.get('/offerings') }, await operatorOf(stack, other))
  },
}

export const unfinishedBodiesOfCredential: Attack = {
  name: `a credential sends ${batches * perBatch} requests whose bodies never arrive`,
  isShort: true,
  run: async (stack) => {
    const api = await stack.api()
    const [tenant, other] = [await stack.tenant(), await stack.tenant()]
    const requests = new UnfinishedRequests(api.baseUrl, tenant.token, { from: attackerAddress })
    const attack = { paths: ['/api/accounts'], callOnce: () => tenant.get('/events') }
    return sendUnfinished(requests, attack, async () => {
      await other.account()
      return 201
    })
  },
}

/** Reads and writes as another tenant. Resolves to the worse status. */
async function operatorOf(stack: AttackStack, other: TestTenant): Promise<() => Promise<number>> {
  const admin = await stack.admin(other)
  const accountId = await other.account()
  return async () => {
    const decided = await admin.post(`/accounts/${accountId}/decision`, { kyc: 'PENDING', reason: 'x' })
    return Math.max(decided.status, (await admin.get('/offerings')).status)
  }
}

async function sendUnfinished(
  requests: UnfinishedRequests,
  { paths, callOnce }: { paths: readonly string[]; callOnce: () => Promise<unknown> },
  callAsOther: () => Promise<number>,
): Promise<AttackResult> {
  try {
    for (let batch = 0; batch < batches; batch += 1) {
      // Requests count for the cell only while the process knows the tenant's cell.
      await callOnce()
      for (let count = 0; count < perBatch; count += 1) requests.begin(paths[count % paths.length] ?? '')
      await sleep(50)
    }
    await sleep(500)
    let served = 0
    for (let probe = 0; probe < probes; probe += 1) {
      const status = await callAsOther().catch(() => 0)
      if (status === 200 || status === 201) served += 1
    }
    const observed = `${requests.count} bodies were arriving; of ${probes} requests of others ${served} were served`
    return { isDefended: served === probes, observed }
  } finally {
    requests.end()
  }
}
