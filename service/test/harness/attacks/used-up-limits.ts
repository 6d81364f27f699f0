import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { approvalRisks } from '../../../src/sales/accounts/approval-risks.ts'
import { fillAuditLog } from '../data/audit-log.ts'
import type { Attack } from './attack.ts'
import { send } from './attack-stack.ts'

const credentialsMax = 150

/** A tenant must not set its own limit. */
export const ownCeilings: Attack = {
  name: 'an admin raises the limits of the tenant',
  isShort: true,
  run: async (stack) => {
    const tenantId = await stack.installation.createTenant('Greedy')
    // Uses the defaults of a new tenant, because the harness gives its tenants high limits.
    await stack.installation.setLimits(tenantId, { requestsPerMinute: 6_000, credentials: 50 })
    const { clientId } = await stack.installation.issueCredential(tenantId)
    const { token } = await stack.installation.createOperator(tenantId)
    const { baseUrl } = await stack.operatorApi()
    const json = { requests_per_minute: 60_000 }
    const { status } = await send(`${baseUrl}/operator/credentials/${clientId}`, { method: 'PATCH', token, json })
    if (status === 200) return { isDefended: false, observed: 'the credential may send 60,000 requests a minute' }
    let credentials = 1
    for (; credentials < credentialsMax; credentials += 1) {
      const one = { name: `n${credentials}`, scopes: ['order.read'], requests_per_minute: 1 }
      const created = await send(`${baseUrl}/operator/credentials`, { token, json: one })
      if (created.status !== 201) break
    }
    const observed = `60,000 requests a minute: ${status}; credentials: ${credentials}`
    return { isDefended: credentials < credentialsMax, observed }
  },
}

const auditEntries = 6_000
const concurrency = 95
const reads = 8
/** Far longer than a page of offerings takes on a busy machine. Without the defence it takes ten seconds. */
const readMsMax = 2_500

export const concurrentVerifications: Attack = {
  name: 'a viewer verifies the audit log 95 times at once, again and again',
  isShort: true,
  run: async (stack) => {
    const [attacker, victim] = [await stack.tenant(), await stack.user(await stack.tenant())]
    await fillAuditLog(stack.installation, attacker.id, auditEntries)
    const viewer = await stack.user(attacker, 'viewer')
    const statuses = new Map<number, number>()
    let isOver = false
    const attack = async () => {
      while (!isOver) {
        const { status } = await viewer.post('/audit/verify', {}).catch(() => ({ status: 0 }))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        // Pauses like a rejected client: 600 requests a minute are soon used up.
        if (status !== 200) await sleep(500)
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
      await sleep(500)
    }
    isOver = true
    // Requests that wait for a connection may take minutes.
    await Promise.race([Promise.all(attacks), sleep(10_000)])
    const responses = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
    return {
      isDefended: slowest < readMsMax && failed.length === 0,
      observed: `slowest page of another tenant ${Math.round(slowest)} ms, failed ${failed.length}; attacker ${responses}`,
    }
  },
}

const requests = 5
const itemsMax = 100
const proposalsMax = 200
/** Mails to a person who can confirm: one at once, and later one about all that wait. */
const mailsMax = 2
const mailMs = 8_000

export const proposalFlood: Attack = {
  name: 'a clerk buries a proposal below 500 others, which bulk requests make',
  isShort: true,
  run: async (stack) => {
    const { installation } = stack
    await stack.worker()
    const tenant = await stack.tenant()
    const accountId = await tenant.account()
    const boss = await stack.user(tenant)
    await boss.post(`/accounts/${accountId}/decision`, { kyc: 'REJECTED', reason: 'x' })
    await installation.useDefaultPolicies(tenant.id)
    const clerk = await stack.user(tenant, 'operator')
    const mailsBefore = stack.mailbox.mails.length
    const items = Array.from({ length: itemsMax }, (_, index) => ({
      account_id: accountId,
      body: { kyc: 'APPROVED', reason: `checked ${index}`, acknowledged: approvalRisks },
    }))
    let proposals = 0
    for (let sent = 0; sent < requests; sent += 1) {
      const { body, status } = await clerk.post('/bulk/decideAccount', { items })
      if (status !== 200) break
      proposals += body.results.filter((result: { status: number }) => result.status === 202).length
    }
    await sleep(mailMs)
    const rows = await installation.rows('select email from directory.operator_user where id = $1', [boss.who.userId])
    const mails = stack.mailbox.mails.slice(mailsBefore).filter(({ to }) => to?.[0]?.address === rows[0].email).length
    return {
      isDefended: proposals <= proposalsMax && mails <= mailsMax,
      observed: `${proposals} proposals, ${mails} mails to one person within ${mailMs / 1_000} s`,
    }
  },
}

const mebibyte = 1_048_576
/** Far below the default, so that the attack is short. */
const fileMebibytes = 25
const uploads = 6

export const filledDisk: Attack = {
  name: 'a clerk fills the disk that all tenants of a cell share with documents',
  isShort: true,
  run: async (stack) => {
    const { installation } = stack
    const tenant = await stack.tenant()
    await installation.setLimits(tenant.id, { fileMebibytes })
    const clerk = await stack.user(tenant, 'operator')
    const path = `/accounts/${await tenant.account()}/documents`
    const statuses: number[] = []
    for (let sent = 0; sent < uploads; sent += 1) {
      const content = randomBytes(5 * mebibyte).toString('hex')
      statuses.push((await clerk.upload(path, content, 'text/plain')).status)
    }
    const rows = await installation.rows(
      'select sum(octet_length(content))::float8 as bytes from cell.document_part where tenant_id = $1',
      [tenant.id],
    )
    const stored = rows[0].bytes / mebibyte
    return {
      isDefended: stored <= fileMebibytes && statuses.includes(409),
      observed: `${stored.toFixed(1)} MiB stored, of ${fileMebibytes}; ${uploads} uploads of 10 MiB: ${statuses.join(', ')}`,
    }
  },
}

const exports = 10

export const exportsOfViewer: Attack = {
  name: `a viewer requests ${exports} exports`,
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const viewer = await stack.user(tenant, 'viewer')
    const admin = await stack.user(tenant)
    let created = 0
    for (let count = 0; count < exports; count += 1)
      if ((await viewer.post('/exports', { kind: 'orders' })).status === 201) created += 1
    const { status } = await admin.post('/exports', { kind: 'audit' })
    return { isDefended: status === 201, observed: `${created} were accepted; that of a colleague got ${status}` }
  },
}
