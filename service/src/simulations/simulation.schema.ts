import { Type } from 'typebox'
import { Decimal, Named, SomeUnits, Timestamp, Uuid } from '../platform/api/declare/fields.ts'
import { approvalStatuses } from '../sales/accounts/account.schema.ts'
import { OperatorOrder } from '../sales/orders/operator/operator-order.schema.ts'

/** Fields of an order and its blockers. */
const { id, status, paid_amount, total_amount, currency, payment_reference, payment_due_at, blockers } =
  OperatorOrder.properties
export const SimulatedOrder = Named('SimulatedOrder', {
  id,
  status,
  paid_amount,
  total_amount,
  currency,
  payment_reference,
  payment_due_at,
  blockers,
})

const paymentKinds = ['exact', 'short', 'over', 'late', 'twice'] as const
export const PaymentSimulation = Named(
  'PaymentSimulation',
  {
    kind: Type.Enum(paymentKinds, {
      description:
        '`exact`: the missing amount. `short`: half of it. `over`: half more, which is due for refund. `late`: the ' +
        'missing amount after the deadline, which expires first. `twice`: one payment reported twice, counted once.',
      examples: ['exact'],
    }),
    amount: Type.Optional(Decimal('Pays this amount instead.', '125.00')),
  },
  { examples: [{ kind: 'exact' }] },
)

export const DecisionSimulation = Named(
  'DecisionSimulation',
  { kyc: Type.Optional(Type.Enum(approvalStatuses)), kyb: Type.Optional(Type.Enum(approvalStatuses)) },
  { minProperties: 1, maxProperties: 1, examples: [{ kyc: 'APPROVED' }] },
)

export const WalletSimulation = Named('WalletSimulation', {
  offering_id: Type.Optional(
    Uuid('Creates the wallet on the chain of this offering; by default on anvil.', 'The offering.'),
  ),
})

export const MintFailureSimulation = Named('MintFailureSimulation', {
  failing: Type.Boolean({
    description: 'Whether mints fail from now on. False also releases the orders on hold.',
    examples: [true],
  }),
})
export const MintFailure = Named('MintFailure', {
  offering_id: Uuid('The offering.'),
  failing: Type.Boolean({ examples: [true] }),
  released_orders: Type.Integer({ minimum: 0, examples: [0] }),
})

export const ReorgSimulation = Named('ReorgSimulation', {
  offering_id: Uuid('The offering whose chain to reorganize.', 'The offering.'),
  depth: Type.Integer({
    minimum: 1,
    maximum: 3,
    description: 'Number of blocks to replace. Finalized blocks cannot be replaced.',
    examples: [2],
  }),
})
export const Reorg = Named('Reorg', {
  blockchain: Type.String({ examples: ['anvil'] }),
  depth: Type.Integer({ minimum: 1, examples: [2] }),
})

export const TransferSimulation = Named('TransferSimulation', {
  offering_id: Uuid('The offering of the tokens.', 'The offering.'),
  from_wallet_id: Uuid('A simulated wallet: the service has no private keys of others.', 'The wallet.'),
  to_wallet_id: Uuid('Any wallet of your accounts on the same chain.', 'Another wallet.'),
  units: SomeUnits('Units to transfer, in the smallest token unit.', '1000'),
})
export const SimulatedTransfer = Named('Transfer', {
  transaction_hash: Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [`0x${'ab'.repeat(32)}`] }),
})

export const DeadlineSimulation = Named('DeadlineSimulation', {
  advance_seconds: Type.Integer({
    minimum: 1,
    maximum: 366 * 86_400,
    description: 'How much earlier every open deadline of your tenant becomes.',
    examples: [86_400],
  }),
})
export const SimulatedDeadlines = Named('SimulatedDeadlines', {
  advanced_seconds: Type.Integer({ minimum: 1, examples: [86_400] }),
  orders: Type.Integer({ minimum: 0, description: 'Orders that await payment.', examples: [3] }),
  wallets: Type.Integer({ minimum: 0, description: 'Wallets that await the proof of ownership.', examples: [0] }),
  checked_at: Timestamp('When the deadlines moved. Workers process those that have passed within a second or two.'),
})
