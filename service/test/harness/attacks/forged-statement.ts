import { setTimeout as sleep } from 'node:timers/promises'
import { camt053 } from '../money/camt053.ts'
import type { Attack } from './attack.ts'
import { LoneClerk } from './attack-clerk.ts'

/** A worker that matches the entry takes milliseconds. */
const workerMs = 1_000

export const forgedStatement: Attack = {
  name: 'one clerk imports a forged bank statement with a credit of a million',
  isShort: true,
  run: async (stack) => {
    await stack.worker()
    const clerk = await LoneClerk.of(stack)
    const upload = await (await stack.operatorApi()).call('POST', '/statements', {
      token: clerk.client.who.token,
      body: camt053({ entries: [{ amount: '1000000.00', creditorReference: clerk.reference }] }),
      headers: { 'content-type': 'application/xml' },
    })
    if (upload.status !== 201) throw new Error(`the upload got ${upload.status}: ${upload.text}`)
    const { id } = upload.body.statements[0]
    await clerk.tries('booking it', await clerk.client.post(`/statements/${id}/book`), 'waits')
    await sleep(workerMs)
    return clerk.result()
  },
}
