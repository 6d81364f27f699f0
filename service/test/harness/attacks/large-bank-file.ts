import { confirmAs } from '../callers/second-person.ts'
import { camt053 } from '../money/camt053.ts'
import { happensWithin } from '../wait.ts'
import type { Attack } from './attack.ts'

const statements = 12
const entries = 1_500
const mailMsMax = 15_000
const mailMsGood = 5_000

/** The mail to an invited user represents all background work of other tenants. */
export const largeBankFile: Attack = {
  name: `a bank file of one tenant with ${statements * entries} entries`,
  run: async (stack) => {
    await stack.worker()
    const [attacker, other] = [await stack.tenant(), await stack.tenant()]
    const [attackingAdmin, admin] = [await stack.user(attacker), await stack.user(other)]
    const second = await stack.installation.createOperator(other.id)
    await attacker.fixtures.offering(attacker.id)
    const xml = camt053({
      statements: Array.from({ length: statements }, (_, index) => ({
        id: `S${index}`,
        sequence: String(index + 1),
        entries: Array.from({ length: entries }, () => ({ amount: '1.00', text: 'for nothing' })),
      })),
    })
    const upload = await attackingAdmin.upload('/statements', xml)
    if (upload.status !== 201) throw new Error(`the upload got ${upload.status}: ${upload.text}`)
    const email = `${crypto.randomUUID()}@example.com`
    const startedAt = performance.now()
    const proposal = await admin.post('/users', { name: 'Grace Hopper', email, role: 'viewer' })
    await confirmAs(await stack.operatorApi(), second, proposal, 'directory')
    const hasArrived = () => stack.mailbox.mails.some(({ to }) => to?.[0]?.address === email)
    const isSent = await happensWithin(mailMsMax, hasArrived)
    const ms = performance.now() - startedAt
    const observed = isSent ? `took ${Math.round(ms)} ms` : `had not arrived after ${mailMsMax / 1000} s`
    return { isDefended: isSent && ms < mailMsGood, observed: `a mail of another tenant ${observed}` }
  },
}
