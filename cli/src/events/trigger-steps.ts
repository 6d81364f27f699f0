import {
  ApiError,
  type InvestorToken,
  type NewAccount,
  type Offering,
  type PaymentSimulation,
} from '@investor-token/sdk'
import { exitCodes, Failure } from '../base/failure.ts'
import { interrupted, pause } from '../base/interruption.ts'

/** What has been made on the way to an event, so that the event can be told from others. */
export interface Work {
  readonly client: InvestorToken
  /** The one that was asked for, or the first one that is open. */
  offering: Offering | undefined
  accountId: string
  orderId: string
  walletId: string
}

export interface Step {
  readonly title: string
  run(work: Work): Promise<unknown>
}

const options = { signal: interrupted }

export const account: Step = {
  title: 'create an account',
  run: async (work) => {
    work.accountId = (await work.client.accounts.create(person, options)).id
  },
}

export const company: Step = {
  title: 'create an account of a company',
  run: async (work) => {
    work.accountId = (await work.client.accounts.create(firm, options)).id
  },
}

export const benefitingPerson: Step = {
  title: 'add a benefiting person',
  run: ({ client, accountId }) =>
    client.call('createBenefitingPerson', {
      params: { accountId },
      body: { firstname: 'Grace', lastname: 'Example', ...address },
      options,
    }),
}

export const changeAccount: Step = {
  title: 'change its address for mail',
  run: ({ client, accountId }) =>
    client.accounts.update(
      accountId,
      { communication: { email: 'changed@example.com', email_confirmed: true } },
      options,
    ),
}

export const approve = decide('APPROVED')
export const reject = decide('REJECTED')

function decide(kyc: 'APPROVED' | 'REJECTED'): Step {
  return {
    title: kyc === 'APPROVED' ? 'approve the account' : 'take the approval away',
    run: ({ client, accountId }) => client.simulations.decision(accountId, { kyc }, options),
  }
}

export const wallet: Step = {
  title: 'give it a wallet',
  run: async (work) => {
    const { id: offering_id } = await offeringOf(work)
    work.walletId = (await work.client.simulations.wallet(work.accountId, { offering_id }, options)).id
  },
}

export const order: Step = {
  title: 'order some tokens',
  run: async (work) => {
    const offering = await offeringOf(work)
    const units = offering.min_units ?? 10n ** BigInt(offering.decimals)
    const body = { account_id: work.accountId, units }
    work.orderId = (await work.client.offerings.orders.create(offering.id, body, options)).id
  },
}

export const cancel: Step = {
  title: 'cancel the order',
  run: async (work) => work.client.offerings.orders.cancel((await offeringOf(work)).id, work.orderId, options),
}

export const passDeadline: Step = {
  title: 'let the deadline pass',
  run: ({ client, orderId }) => client.simulations.paymentDeadline(orderId, options),
}

export function pay(kind: PaymentSimulation['kind']): Step {
  return {
    title: { exact: 'pay it', short: 'pay half of it', over: 'pay too much', late: 'pay late', twice: 'pay twice' }[
      kind
    ],
    run: ({ client, orderId }) => client.simulations.payment(orderId, { kind }, options),
  }
}

export const breakMints: Step = {
  title: 'make mints fail',
  run: async (work) => {
    const { id } = await offeringOf(work)
    // A new offering has its token on the chain after some blocks; until then there is nothing that could fail.
    for (let attempt = 1; ; attempt += 1)
      try {
        return await work.client.simulations.mintFailure(id, { failing: true }, options)
      } catch (error) {
        if (!(error instanceof ApiError && error.is('simulation_not_possible')) || attempt === tokenAttemptsMax)
          throw error
        await pause(tokenPauseMs)
      }
  },
}

const tokenAttemptsMax = 15
const tokenPauseMs = 4_000

/** Also after an interruption: else the offering would stay broken. */
export async function mendMints(work: Work): Promise<void> {
  await work.client.simulations.mintFailure((await offeringOf(work)).id, { failing: false })
}

/** An offering is searched for once, and only by what needs one. */
async function offeringOf(work: Work): Promise<Offering> {
  if (work.offering) return work.offering
  for await (const offering of work.client.offerings.list(options))
    if (offering.status === 'OPEN' && offering.available_units > 0n) {
      work.offering = offering
      return offering
    }
  throw new Failure(
    exitCodes.refused,
    'No offering is open that has tokens left.',
    'An operator opens one; or name another one with --offering.',
  )
}

const address = {
  street: 'Hauptstr. 1',
  city: 'Berlin',
  zip: '10115',
  state: 'Berlin',
  country: 'DE',
}
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
