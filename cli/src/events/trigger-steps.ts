import {
  ApiError,
  type DistributionSimulation,
  type InvestorToken,
  type NewAccount,
  type Offering,
  type PaymentSimulation,
} from '@investor-token/sdk'
import { exitCodes, Failure } from '../base/failure.ts'
import { interrupted, pause } from '../base/interruption.ts'

/** The resources created so far. Their ids identify the event to wait for. */
export interface TriggerContext {
  readonly client: InvestorToken
  /** Offering given by --offering, or the first open one. */
  offering: Offering | undefined
  accountId: string
  orderId: string
  walletId: string
  transferId: string
  distributionId: string
}

export interface Step {
  readonly title: string
  run(context: TriggerContext): Promise<unknown>
}

function step(title: string, run: Step['run']): Step {
  return { title, run }
}

const options = { signal: interrupted }

export const account = step('create an account', async (context) => {
  context.accountId = (await context.client.accounts.create(person, options)).id
})

export const company = step('create a company account', async (context) => {
  context.accountId = (await context.client.accounts.create(firm, options)).id
})

export const benefitingPerson = step('add a benefiting person', ({ client, accountId }) =>
  client.call('createBenefitingPerson', {
    params: { accountId },
    body: { firstname: 'Grace', lastname: 'Example', ...address },
    options,
  }),
)

export const changeAccount = step('change its email address', ({ client, accountId }) =>
  client.accounts.update(
    accountId,
    { communication: { email: 'changed@example.com', email_confirmed: true } },
    options,
  ),
)

export const approve = decide('APPROVED')
export const reject = decide('REJECTED')

function decide(kyc: 'APPROVED' | 'REJECTED'): Step {
  return step(kyc === 'APPROVED' ? 'approve the account' : 'reject the account', ({ client, accountId }) =>
    client.simulations.decision(accountId, { kyc }, options),
  )
}

export const wallet = step('add a wallet', async (context) => {
  const { id: offering_id } = await offeringOf(context)
  context.walletId = (await context.client.simulations.wallet(context.accountId, { offering_id }, options)).id
})

export const order = step('order some tokens', async (context) => {
  const offering = await offeringOf(context)
  const units = offering.min_units ?? 10n ** BigInt(offering.decimals)
  const body = { account_id: context.accountId, units }
  context.orderId = (await context.client.offerings.orders.create(offering.id, body, options)).id
})

export const cancel = step('cancel the order', async (context) =>
  context.client.offerings.orders.cancel((await offeringOf(context)).id, context.orderId, options),
)

export const passDeadline = step('let the payment deadline pass', ({ client, orderId }) =>
  client.simulations.paymentDeadline(orderId, options),
)

export function pay(kind: PaymentSimulation['kind']): Step {
  return step(paymentTitles[kind], ({ client, orderId }) => client.simulations.payment(orderId, { kind }, options))
}

const paymentTitles = {
  exact: 'pay the order',
  short: 'pay half of the order',
  over: 'overpay the order',
  late: 'pay after the deadline',
  twice: 'report the payment twice',
}

export const startMintFailure = step('make mints fail', async (context) => {
  const { id } = await offeringOf(context)
  // The token of a new offering is deployed after some blocks. Until then, its mints cannot be made to fail.
  for (let attempt = 1; ; attempt += 1)
    try {
      return await context.client.simulations.mintFailure(id, { failing: true }, options)
    } catch (error) {
      if (!(error instanceof ApiError && error.is('simulation_not_possible')) || attempt === tokenAttemptsMax)
        throw error
      await pause(tokenPauseMs)
    }
})

const tokenAttemptsMax = 15
const tokenPauseMs = 4_000

/** Ends the mint failure, even after an interruption: otherwise mints of the offering would keep failing. */
export async function stopMintFailure(context: TriggerContext): Promise<void> {
  await context.client.simulations.mintFailure((await offeringOf(context)).id, { failing: false })
}

export const requestTransfer = step('request a transfer to another investor', async (context) => {
  const { client, walletId } = context
  const { id: offering_id } = await offeringOf(context)
  const { id: receiver } = await client.accounts.create({ ...person }, options)
  await client.simulations.decision(receiver, { kyc: 'APPROVED' }, options)
  const { id: receiver_wallet_id } = await client.simulations.wallet(receiver, { offering_id }, options)
  const wallets = { sender_wallet_id: walletId, receiver_wallet_id }
  const transfer = { offering_id, ...wallets, units: 1n, reason: 'sale' } as const
  context.transferId = (await client.transfers.create(transfer, options)).id
})

export const cancelTransfer = step('cancel the transfer', ({ client, transferId }) =>
  client.transfers.cancel(transferId, options),
)

export const completeTransfer = step('approve and send the transfer', ({ client, transferId }) =>
  client.simulations.transferRequest(transferId, options),
)

export function distribute(result: DistributionSimulation['result']): Step {
  return step(distributionTitles[result], async (context) => {
    const { id } = await offeringOf(context)
    context.distributionId = (await context.client.simulations.distribution(id, { result }, options)).id
  })
}

const distributionTitles = {
  paid: 'pay a coupon',
  failed: 'let the bank return a coupon',
  announced: 'announce a coupon',
}

/** Finds an open offering on first use. */
async function offeringOf(context: TriggerContext): Promise<Offering> {
  if (context.offering) return context.offering
  for await (const offering of context.client.offerings.list(options))
    if (offering.status === 'OPEN' && offering.available_units > 0n) {
      context.offering = offering
      return offering
    }
  throw new Failure(
    exitCodes.failed,
    'No open offering has units left.',
    'Ask an operator to open one, or choose another with --offering.',
  )
}

const address = { street: 'Hauptstr. 1', city: 'Berlin', zip: '10115', state: 'Berlin', country: 'DE' }
const bankAccount = {
  account_holder: 'Ada Example',
  bank: 'Testbank',
  bic: 'COBADEFFXXX',
  country: 'DE',
  currency: 'EUR',
  iban: 'DE89370400440532013000',
}
const person: NewAccount = {
  type: 'INDIVIDUAL',
  individual: {
    firstName: 'Ada',
    lastName: 'Example',
    birth_date: '1985-12-10',
    birth_place: 'Berlin',
    citizenship: 'DE',
    phone: '+4930123456',
    ...address,
  },
  communication: { email: 'ada@example.com', email_confirmed: true },
  bank_account: bankAccount,
  is_beneficiary: true,
}
const firm: NewAccount = {
  type: 'COMPANY',
  company: {
    name: 'Example GmbH',
    registration_number: 'HRB 12345',
    legal_form: 'GmbH',
    vat_id: 'DE123456789',
    incorporation_date: '2001-12-31',
    phone: '+4930123456',
    ...address,
  },
  communication: { email: 'office@example.com', email_confirmed: true },
  bank_account: { ...bankAccount, account_holder: 'Example GmbH' },
  is_beneficiary: false,
}
