import fc from 'fast-check'
import { failRefund } from '../../../src/sales/refunds/operator/fail-refund.ts'
import { listRefunds } from '../../../src/sales/refunds/operator/list-refunds.ts'
import { retryRefund } from '../../../src/sales/refunds/operator/retry-refund.ts'
import { sendRefund } from '../../../src/sales/refunds/operator/send-refund.ts'
import { settleRefund } from '../../../src/sales/refunds/operator/settle-refund.ts'
import {
  type CommandArbitrary,
  type Model,
  type ModelOrder,
  type ModelRefund,
  type Real,
  runCommand,
} from './order-model.ts'

const transitions = {
  sent: { operation: sendRefund, from: 'due', body: { reference: 'RUN-1' } },
  settled: { operation: settleRefund, from: 'sent', body: undefined },
  failed: { operation: failRefund, from: 'sent', body: { failure: 'AC04' } },
  due: { operation: retryRefund, from: 'failed', body: undefined },
} as const

export const refundCommands: readonly CommandArbitrary[] = (
  Object.keys(transitions) as (keyof typeof transitions)[]
).map(moveRefundTo)

function moveRefundTo(to: keyof typeof transitions): CommandArbitrary {
  return fc.nat().map((number) => ({
    check: (model: Readonly<Model>) => model.orders.some(({ refunds }) => refunds.length > 0),
    run: async (model: Model, real: Real) => {
      const candidates = model.orders.filter(({ refunds }) => refunds.length > 0)
      const order = candidates[number % candidates.length] as ModelOrder
      const index = number % order.refunds.length
      const refund = order.refunds[index] as ModelRefund
      const { operation, from, body } = transitions[to]
      const expect = () => {
        if (refund.status === to) return undefined
        if (refund.status !== from) return 'refund_not_in_state'
        refund.status = to
        if (to === 'sent') refund.wasSent = true
        return undefined
      }
      await runCommand(model, real, expect, async () => {
        const refundId = await refundIdAt(real, order.id, index)
        await real.direct.run(operation, { params: { refundId }, body })
      })
    },
    toString: () => `refund(${number}, ${to})`,
  }))
}

async function refundIdAt({ direct }: Real, orderId: string, index: number): Promise<string> {
  const query = { order_id: orderId, direction: 'asc', limit: 50 }
  const { results } = await direct.run(listRefunds, { query })
  return results[index].id
}
