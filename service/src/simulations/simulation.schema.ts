import { Type } from 'typebox'
import { Decimal, SomeUnits, Timestamp, Uuid } from '../platform/api/declare/fields.ts'
import { approvalStatuses } from '../sales/accounts/account.schema.ts'
import { OperatorOrder } from '../sales/orders/operator/operator-order.schema.ts'

const closed = { additionalProperties: false }

/** An order as the integrator sees it, and what keeps it from advancing. */
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
        '`exact`: what is missing. `short`: half of it. `over`: half more than it, which is owed back. `late`: all ' +
        'of it after the deadline, which passes first. `twice`: the same payment told twice, which counts once.',
      examples: ['exact'],
    }),
    amount: Type.Optional(Decimal('This much instead.', '125.00')),
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
      Uuid('On the chain of this offering; without it on the chain of development.', 'The offering.'),
    ),
  },
  { ...closed, title: 'WalletSimulation' },
)

export const MintFailureSimulation = Type.Object(
  {
    failing: Type.Boolean({
      description: 'Whether the token refuses mints from now on. False also releases the orders that are held.',
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

export const ReorganisationSimulation = Type.Object(
  {
    offering_id: Uuid('The chain of this offering.', 'The offering.'),
    depth: Type.Integer({
      minimum: 1,
      maximum: 3,
      description: 'How many blocks are taken back. Those that are final cannot be.',
      examples: [2],
    }),
  },
  { ...closed, title: 'ReorganisationSimulation' },
)
export const Reorganisation = Type.Object(
  {
    blockchain: Type.String({ examples: ['anvil'] }),
    depth: Type.Integer({ minimum: 1, examples: [2] }),
  },
  { ...closed, title: 'Reorganisation' },
)

export const TransferSimulation = Type.Object(
  {
    offering_id: Uuid('Whose tokens.', 'The offering.'),
    from_wallet_id: Uuid('A wallet that a simulation has made: nobody else’s key is known.', 'The wallet.'),
    to_wallet_id: Uuid('Any wallet of your accounts on the same chain.', 'Another wallet.'),
    units: SomeUnits('How much, in the smallest token unit.', '1000'),
  },
  { ...closed, title: 'TransferSimulation' },
)
export const SimulatedTransfer = Type.Object(
  { transaction_hash: Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [`0x${'ab'.repeat(32)}`] }) },
  { ...closed, title: 'Transfer' },
)

export const ClockSimulation = Type.Object(
  {
    advance_seconds: Type.Integer({
      minimum: 1,
      maximum: 366 * 86_400,
      description: 'How much nearer every deadline of your tenant comes.',
      examples: [86_400],
    }),
  },
  { ...closed, title: 'ClockSimulation' },
)
export const AdvancedClock = Type.Object(
  {
    advanced_seconds: Type.Integer({ minimum: 1, examples: [86_400] }),
    orders: Type.Integer({ minimum: 0, description: 'That wait for their payment.', examples: [3] }),
    wallets: Type.Integer({ minimum: 0, description: 'That wait for the proof of their owner.', examples: [0] }),
    checked_at: Timestamp('When that was. Workers act on what is due within a second or two.'),
  },
  { ...closed, title: 'AdvancedClock' },
)
