import { Type } from 'typebox'
import { Decimal, SomeUnits, Timestamp, Uuid } from '../platform/api/declare/fields.ts'
import { approvalStatuses } from '../sales/accounts/account.schema.ts'
import { OperatorOrder } from '../sales/orders/operator/operator-order.schema.ts'

const closed = { additionalProperties: false }

/** Fields of an order and its blockers. */
const { id, status, paid_amount, total_amount, currency, payment_reference, payment_due_at, blockers } =
  OperatorOrder.properties
export const SimulatedOrder = Type.Object(
  { id, status, paid_amount, total_amount, currency, payment_reference, payment_due_at, blockers },
  { ...closed, title: 'SimulatedOrder' },
)

const paymentKinds = ['exact', 'short', 'over', 'late', 'twice'] as const
export const PaymentSimulation = Type.Object(
  {
    kind: Type.Enum(paymentKinds, {
      description:
        '`exact`: the missing amount. `short`: half of it. `over`: half more, which is due for refund. `late`: the ' +
        'missing amount after the deadline, which expires first. `twice`: one payment reported twice, counted once.',
      examples: ['exact'],
    }),
    amount: Type.Optional(Decimal('Pays this amount instead.', '125.00')),
  },
  { ...closed, title: 'PaymentSimulation', examples: [{ kind: 'exact' }] },
)

export const DecisionSimulation = Type.Object(
  { kyc: Type.Optional(Type.Enum(approvalStatuses)), kyb: Type.Optional(Type.Enum(approvalStatuses)) },
  {
    ...closed,
    title: 'DecisionSimulation',
    minProperties: 1,
    maxProperties: 1,
    examples: [{ kyc: 'APPROVED' }],
  },
)

export const WalletSimulation = Type.Object(
  {
    offering_id: Type.Optional(
      Uuid('Creates the wallet on the chain of this offering; by default on anvil.', 'The offering.'),
    ),
  },
  { ...closed, title: 'WalletSimulation' },
)

export const MintFailureSimulation = Type.Object(
  {
    failing: Type.Boolean({
      description: 'Whether mints fail from now on. False also releases the orders on hold.',
      examples: [true],
    }),
  },
  { ...closed, title: 'MintFailureSimulation' },
)
export const MintFailure = Type.Object(
  {
    offering_id: Uuid('The offering.'),
    failing: Type.Boolean({ examples: [true] }),
    released_orders: Type.Integer({ minimum: 0, examples: [0] }),
  },
  { ...closed, title: 'MintFailure' },
)

export const ReorgSimulation = Type.Object(
  {
    offering_id: Uuid('The offering whose chain to reorganize.', 'The offering.'),
    depth: Type.Integer({
      minimum: 1,
      maximum: 3,
      description: 'Number of blocks to replace. Finalized blocks cannot be replaced.',
      examples: [2],
    }),
  },
  { ...closed, title: 'ReorgSimulation' },
)
export const Reorg = Type.Object(
  {
    blockchain: Type.String({ examples: ['anvil'] }),
    depth: Type.Integer({ minimum: 1, examples: [2] }),
  },
  { ...closed, title: 'Reorg' },
)

export const TransferSimulation = Type.Object(
  {
    offering_id: Uuid('The offering of the tokens.', 'The offering.'),
    from_wallet_id: Uuid('A simulated wallet: the service has no private keys of others.', 'The wallet.'),
    to_wallet_id: Uuid('Any wallet of your accounts on the same chain.', 'Another wallet.'),
    units: SomeUnits('Units to transfer, in the smallest token unit.', '1000'),
  },
  { ...closed, title: 'TransferSimulation' },
)
export const SimulatedTransfer = Type.Object(
  { transaction_hash: Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [`0x${'ab'.repeat(32)}`] }) },
  { ...closed, title: 'Transfer' },
)

export const DeadlineSimulation = Type.Object(
  {
    advance_seconds: Type.Integer({
      minimum: 1,
      maximum: 366 * 86_400,
      description: 'How much earlier every open deadline of your tenant becomes.',
      examples: [86_400],
    }),
  },
  { ...closed, title: 'DeadlineSimulation' },
)
export const SimulatedDeadlines = Type.Object(
  {
    advanced_seconds: Type.Integer({ minimum: 1, examples: [86_400] }),
    orders: Type.Integer({ minimum: 0, description: 'Orders that await payment.', examples: [3] }),
    wallets: Type.Integer({ minimum: 0, description: 'Wallets that await the proof of ownership.', examples: [0] }),
    checked_at: Timestamp('When the deadlines moved. Workers process those that have passed within a second or two.'),
  },
  { ...closed, title: 'SimulatedDeadlines' },
)
