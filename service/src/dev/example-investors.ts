import type { OpenedExample } from './example-offerings.ts'

/** Progress of an investor's check. */
type Check = 'APPROVED' | 'PENDING' | 'REJECTED' | 'NEW'

export interface ExampleInvestor {
  readonly name: string
  readonly kind: 'person' | 'company'
  readonly check: Check
  readonly hasWallet: boolean
  readonly orders: readonly ExampleOrder[]
}

/** `transfer` is paid exactly, by an entry of the bank statement. The others are simulated. */
type Outcome = 'transfer' | 'unpaid' | 'short' | 'over' | 'late' | 'overdue' | 'cancelled'

interface ExampleOrder {
  readonly offering: OpenedExample
  readonly units: string
  readonly outcome: Outcome
}

const order = (offering: OpenedExample, units: string, outcome: Outcome): ExampleOrder => ({ offering, units, outcome })

const person = (name: string, check: Check, hasWallet: boolean, ...orders: ExampleOrder[]): ExampleInvestor => ({
  name,
  kind: 'person',
  check,
  hasWallet,
  orders,
})

/** Every state of an order, and every reason for waiting. */
export const exampleInvestors: readonly ExampleInvestor[] = [
  person('Katherine Johnson', 'APPROVED', true, order('bond', '250', 'transfer'), order('estate', '2000', 'transfer')),
  person('Alan Turing', 'APPROVED', true, order('bond', '120', 'transfer'), order('art', '300', 'transfer')),
  person('Emmy Noether', 'APPROVED', true, order('bond', '80', 'transfer'), order('mill', '20', 'transfer')),
  person('Konrad Zuse', 'APPROVED', true, order('bond', '60', 'over'), order('mill', '12', 'transfer')),
  person('Hedy Lamarr', 'APPROVED', true, order('bond', '45', 'unpaid'), order('art', '150', 'transfer')),
  person('Lise Meitner', 'APPROVED', true, order('bond', '30', 'late')),
  person('Ada Yonath', 'APPROVED', false, order('bond', '40', 'transfer')),
  person('Grete Hermann', 'PENDING', true, order('bond', '100', 'transfer')),
  person('Rózsa Péter', 'PENDING', false, order('estate', '600', 'unpaid')),
  person('Sofja Kowalewskaja', 'NEW', false, order('art', '80', 'overdue')),
  person('Max Born', 'REJECTED', false, order('bond', '15', 'cancelled')),
  person('Mary Cartwright', 'APPROVED', true, order('bond', '35', 'short'), order('estate', '1000', 'transfer')),
  {
    name: 'Analytical Engines GmbH',
    kind: 'company',
    check: 'APPROVED',
    hasWallet: true,
    orders: [order('bond', '500', 'transfer'), order('estate', '8000', 'unpaid')],
  },
  { name: 'Babbage Capital AG', kind: 'company', check: 'PENDING', hasWallet: false, orders: [] },
]

/** Returns the body that creates the account of an investor. */
export function accountOf({ name, kind }: ExampleInvestor): object {
  const home = { street: 'Hafenstr. 7', city: 'Hamburg', zip: '20457', state: 'Hamburg', country: 'DE' }
  const bank = { bank: 'Testbank', bic: 'COBADEFFXXX', country: 'DE', currency: 'EUR' }
  const [firstName = '', ...rest] = name.split(' ')
  const shared = {
    communication: { email: `${mailNameOf(name)}@example.com`, email_confirmed: true },
    bank_account: { ...bank, account_holder: name, iban: 'DE02120300000000202051' },
    is_beneficiary: kind === 'person',
  }
  const phone = '+4940123456'
  if (kind === 'person')
    return {
      ...shared,
      type: 'INDIVIDUAL',
      individual: {
        firstName,
        lastName: rest.join(' '),
        birth_date: '1984-03-14',
        birth_place: 'Hamburg',
        citizenship: 'DE',
        ...home,
        phone,
      },
    }
  const registration = { registration_number: 'HRB 12345', legal_form: 'GmbH', vat_id: 'DE123456789' }
  return {
    ...shared,
    type: 'COMPANY',
    company: { name, ...registration, incorporation_date: '2011-05-02', ...home, phone },
  }
}

function mailNameOf(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .trim()
    .replaceAll(' ', '.')
    .toLowerCase()
}
