import { setTimeout as sleep } from 'node:timers/promises'
import { approvalRisks } from '../../../src/sales/accounts/approval-risks.ts'
import { OperatorClient } from '../callers/operator-client.ts'
import type { Attack } from './attack.ts'

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
    const boss = await stack.admin(tenant)
    await boss.post(`/accounts/${accountId}/decision`, { kyc: 'REJECTED', reason: 'x' })
    await installation.useDefaultPolicies(tenant.id)
    const clerk = await OperatorClient.create(installation, await stack.operatorApi(), tenant.id, 'operator')
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
