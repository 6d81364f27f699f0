import { OperatorClient } from '../callers/operator-client.ts'
import type { Attack } from './attack.ts'
import type { AttackStack } from './attack-stack.ts'

const entries = 6_000
const concurrency = 95
const reads = 8
/** Far longer than a page of offerings takes on a busy machine. Without the defence it takes ten seconds. */
const readMsMax = 2_500

export const concurrentVerifications: Attack = {
  name: 'a viewer verifies the audit log 95 times at once, again and again',
  isShort: true,
  run: async (stack) => {
    const [attacker, victim] = [await stack.tenant(), await stack.admin(await stack.tenant())]
    await fillAuditLog(stack, attacker.id)
    const viewer = await OperatorClient.create(stack.installation, await stack.operatorApi(), attacker.id, 'viewer')
    const statuses = new Map<number, number>()
    let isOver = false
    const attack = async () => {
      while (!isOver) {
        const { status } = await viewer.post('/audit/verify', {}).catch(() => ({ status: 0 }))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        // Pauses like a rejected client: 600 requests a minute are soon used up.
        if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
    const attacks = Array.from({ length: concurrency }, attack)
    let slowest = 0
    const failed: number[] = []
    for (let read = 0; read < reads; read += 1) {
      const startedAt = performance.now()
      const { status } = await victim.get('/offerings').catch(() => ({ status: 0 }))
      slowest = Math.max(slowest, performance.now() - startedAt)
      if (status !== 200) failed.push(status)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    isOver = true
    // Requests that wait for a connection may take minutes.
    await Promise.race([Promise.all(attacks), new Promise((resolve) => setTimeout(resolve, 10_000))])
    const responses = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
    return {
      isDefended: slowest < readMsMax && failed.length === 0,
      observed: `slowest page of another tenant ${Math.round(slowest)} ms, failed ${failed.length}; attacker ${responses}`,
    }
  },
}

/** Writes the entries in short transactions: each updates the same row, whose versions pile up until the commit. */
async function fillAuditLog({ installation }: AttackStack, tenantId: string): Promise<void> {
  await installation.owner(async (client) => {
    for (let written = 0; written < entries; written += 500) {
      await client.query('begin')
      await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
      await client.query(
        `select base.append_audit('system', null, null, null, null, 'test.entry', 'order', gen_random_uuid(), null, '{}')
         from generate_series(1, 500)`,
      )
      await client.query('commit')
    }
  })
}
