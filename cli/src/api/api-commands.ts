import type { operations } from '../base/generated/operations.ts'
import type { Column } from '../output/table.ts'
import { aboutOf } from './about-event.ts'
import type { ApiCommand } from './api-command.ts'
import { eligibilityCommands } from './eligibility-commands.ts'
import { registerExtractCommands } from './register-extract-commands.ts'
import { simulationCommands } from './simulation-commands.ts'
import { transferCommands } from './transfer-commands.ts'

/** Only `login` calls `authenticate`, and it prints no token. */
type CommandOperation = Exclude<keyof typeof operations, 'authenticate'>

const orderColumns: readonly Column[] = [
  ['ID', 'id'],
  ['STATUS', 'status'],
  ['TOKENS', 'units'],
  ['TOTAL', (_, cell) => `${cell('total_amount')} ${cell('currency')}`],
  ['PAID', (_, cell) => `${cell('paid_amount')} ${cell('currency')}`],
]

export const apiCommands: Record<CommandOperation, ApiCommand> = {
  createAccount: {
    noun: 'accounts',
    verb: 'create',
    examples: [
      'accounts create --data @account.json',
      'accounts create --data @account.json --individual-first-name Grace --communication-email grace@example.com --idempotency-key signup-4711',
    ],
  },
  listAccounts: {
    noun: 'accounts',
    verb: 'list',
    rows: 'results',
    columns: [
      ['ID', 'id'],
      ['TYPE', 'type'],
      ['NAME', ({ type }, cell) => (type === 'COMPANY' ? cell('company.name') : nameOf(cell))],
      ['EMAIL', 'communication.email'],
      ['KYC', 'kyc.status'],
      ['KYB', 'kyb.status'],
    ],
    examples: ['accounts list', 'accounts list --all --json'],
  },
  getAccount: {
    noun: 'accounts',
    verb: 'get',
    subject: 'accountId',
    examples: ['accounts get "$ACCOUNT"'],
  },
  updateAccount: {
    noun: 'accounts',
    verb: 'update',
    subject: 'accountId',
    examples: [
      'accounts update "$ACCOUNT" --kyc-status APPROVED',
      `accounts update "$ACCOUNT" --data '{"communication":{"email":"new@example.com","email_confirmed":true}}'`,
    ],
  },
  createBenefitingPerson: {
    noun: 'benefiting-persons',
    verb: 'create',
    examples: [
      'benefiting-persons create --account "$COMPANY" --firstname Grace --lastname Hopper --street "Hauptstr. 2" --zip 10115 --city Berlin --state Berlin --country DE',
    ],
  },
  listBenefitingPersons: {
    noun: 'benefiting-persons',
    verb: 'list',
    rows: 'body',
    columns: [
      ['ID', 'id'],
      ['NAME', (_, cell) => `${cell('firstname')} ${cell('lastname')}`],
      ['ADDRESS', (_, cell) => `${cell('street')}, ${cell('zip')} ${cell('city')}, ${cell('country')}`],
    ],
    examples: ['benefiting-persons list --account "$COMPANY"'],
  },
  ...eligibilityCommands,
  listAccountOrders: {
    noun: 'orders',
    verb: 'list',
    rows: 'results',
    columns: [...orderColumns, ['OFFERING', 'offering.symbol'], ['OFFERING ID', 'offering.id']],
    examples: ['orders list --account "$ACCOUNT"'],
  },
  listTransactions: {
    noun: 'transactions',
    verb: 'list',
    rows: 'results',
    columns: [
      ['TYPE', 'transaction_type'],
      ['STATUS', 'status'],
      ['TOKENS', (_, cell) => `${cell('units')} ${cell('symbol')}`],
      ['TIME', 'block_timestamp'],
      ['HASH', 'transaction_hash'],
    ],
    examples: ['transactions list --account "$ACCOUNT"'],
  },
  listEntitlements: {
    noun: 'entitlements',
    verb: 'list',
    rows: 'results',
    columns: [
      ['ID', 'id'],
      ['KIND', 'kind'],
      ['STATUS', 'status'],
      ['NET', (_, cell) => `${cell('net_amount')} ${cell('currency')}`],
      ['PAID ON', 'pay_on'],
    ],
    examples: ['entitlements list --account "$ACCOUNT"'],
  },
  listWallets: {
    noun: 'wallets',
    verb: 'list',
    rows: 'results',
    columns: [
      ['ID', 'id'],
      ['STATUS', 'status'],
      ['ADDRESS', 'public_address'],
      ['NAME', 'name'],
      ['PROVIDER', 'provider'],
    ],
    examples: ['wallets list --account "$ACCOUNT"'],
  },
  listWalletBalances: {
    noun: 'balances',
    verb: 'list',
    rows: 'results',
    columns: [
      ['BALANCE', (_, cell) => `${cell('balance')} ${cell('symbol')}`],
      ['OFFERING', 'name'],
      ['WALLET', 'wallet_address'],
      ['WALLET ID', 'wallet_id'],
    ],
    examples: ['balances list --account "$ACCOUNT"', 'balances list --account "$ACCOUNT" --raw'],
  },
  registerWallet: {
    noun: 'wallets',
    verb: 'register',
    examples: [
      'wallets register --account "$ACCOUNT" --public-address "$ADDRESS" --blockchain anvil --name "Main wallet" --provider METAMASK --type BROWSER_WALLET',
    ],
  },
  challengeWallet: {
    noun: 'wallets',
    verb: 'challenge',
    subject: 'walletId',
    examples: ['wallets challenge "$PENDING_WALLET" --account "$ACCOUNT" --json'],
  },
  proveWallet: {
    noun: 'wallets',
    verb: 'prove',
    subject: 'walletId',
    examples: ['wallets prove "$SIGNED_WALLET" --account "$ACCOUNT" --data @proof.json'],
  },
  getWallet: {
    noun: 'wallets',
    verb: 'get',
    subject: 'walletId',
    examples: ['wallets get "$WALLET" --account "$ACCOUNT"'],
  },
  listOfferings: {
    noun: 'offerings',
    verb: 'list',
    rows: 'results',
    columns: [
      ['ID', 'id'],
      ['SYMBOL', 'symbol'],
      ['NAME', 'name'],
      ['STATUS', 'status'],
      ['PRICE', (_, cell) => `${cell('price_per_token')} ${cell('currency')}`],
      ['AVAILABLE', (_, cell) => `${cell('available_units')} of ${cell('total_units')}`],
      ['CHAIN', 'blockchain'],
    ],
    examples: ['offerings list'],
  },
  getOffering: {
    noun: 'offerings',
    verb: 'get',
    subject: 'offeringId',
    examples: ['offerings get "$OFFERING"', 'offerings get "$OFFERING" --json'],
  },
  createOrder: {
    noun: 'orders',
    verb: 'create',
    examples: [
      'orders create --offering "$OFFERING" --account "$ACCOUNT" --tokens 10.5',
      'orders create --offering "$OFFERING" --account "$ACCOUNT" --units 1050000000 --json',
    ],
  },
  listOfferingOrders: {
    noun: 'orders',
    verb: 'list',
    rows: 'results',
    columns: [...orderColumns, ['ACCOUNT', 'account.full_name'], ['ACCOUNT ID', 'account.id']],
    examples: ['orders list --offering "$OFFERING" --all'],
  },
  getOrder: {
    noun: 'orders',
    verb: 'get',
    subject: 'orderId',
    examples: ['orders get "$ORDER" --offering "$OFFERING"'],
  },
  cancelOrder: {
    noun: 'orders',
    verb: 'cancel',
    subject: 'orderId',
    examples: ['orders cancel "$ORDER" --offering "$OFFERING"'],
  },
  ...registerExtractCommands,
  ...transferCommands,
  listEvents: {
    noun: 'events',
    verb: 'list',
    rows: 'events',
    columns: [
      ['SEQUENCE', 'sequence'],
      ['TIME', 'created_at'],
      ['TYPE', 'type'],
      ['ABOUT', ({ data }) => aboutOf(data)],
    ],
    examples: ['events list --type order.created', 'events list --after 2 --json'],
  },
  listRequests: {
    noun: 'requests',
    verb: 'list',
    rows: 'requests',
    columns: [
      ['TIME', 'responded_at'],
      ['STATUS', 'status'],
      ['CODE', 'code'],
      ['MS', 'duration_ms'],
      ['REQUEST', (_, cell) => `${cell('method')} ${cell('path')}`],
      ['REQUEST ID', 'request_id'],
    ],
    examples: ['requests list --failed true'],
  },
  ...simulationCommands,
}

function nameOf(cell: (path: string) => string): string {
  return `${cell('individual.firstName')} ${cell('individual.lastName')}`
}
