import type { operations } from '../base/generated/operations.ts'
import type { Column } from '../output/table.ts'
import { aboutOf } from './about-event.ts'
import type { ApiCommand } from './api-command.ts'
import { simulationCommands } from './simulation-commands.ts'

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
    name: 'accounts create',
    examples: [
      'accounts create --data @account.json',
      'accounts create --data @account.json --individual-first-name Grace --communication-email grace@example.com --idempotency-key signup-4711',
    ],
  },
  listAccounts: {
    name: 'accounts list',
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
  getAccount: { name: 'accounts get', subject: 'accountId', examples: ['accounts get "$ACCOUNT"'] },
  updateAccount: {
    name: 'accounts update',
    subject: 'accountId',
    examples: [
      'accounts update "$ACCOUNT" --kyc-status APPROVED',
      `accounts update "$ACCOUNT" --data '{"communication":{"email":"new@example.com","email_confirmed":true}}'`,
    ],
  },
  createBenefitingPerson: {
    name: 'benefiting-persons create',
    examples: [
      'benefiting-persons create --account "$COMPANY" --firstname Grace --lastname Hopper --street "Hauptstr. 2" --zip 10115 --city Berlin --state Berlin --country DE',
    ],
  },
  listBenefitingPersons: {
    name: 'benefiting-persons list',
    rows: 'body',
    columns: [
      ['ID', 'id'],
      ['NAME', (_, cell) => `${cell('firstname')} ${cell('lastname')}`],
      ['ADDRESS', (_, cell) => `${cell('street')}, ${cell('zip')} ${cell('city')}, ${cell('country')}`],
    ],
    examples: ['benefiting-persons list --account "$COMPANY"'],
  },
  getAccountEligibility: {
    name: 'eligibility get',
    examples: ['eligibility get --account "$ACCOUNT" --offering "$OFFERING"'],
  },
  acceptDocument: {
    name: 'eligibility accept-document',
    subject: 'documentId',
    examples: ['eligibility accept-document "$DOCUMENT" --account "$ACCOUNT" --offering "$RULED" --sha256 "$SHA256"'],
  },
  answerQuestionnaire: {
    name: 'eligibility answer',
    examples: [
      `eligibility answer --account "$ACCOUNT" --offering "$RULED" --data '{"version":1,"answers":{"experience":"often","can_lose":true}}'`,
    ],
  },
  listAccountOrders: {
    name: 'orders list',
    rows: 'results',
    columns: [...orderColumns, ['OFFERING', 'offering.symbol'], ['OFFERING ID', 'offering.id']],
    examples: ['orders list --account "$ACCOUNT"'],
  },
  listTransactions: {
    name: 'transactions list',
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
    name: 'entitlements list',
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
    name: 'wallets list',
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
    name: 'balances list',
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
    name: 'wallets register',
    examples: [
      'wallets register --account "$ACCOUNT" --public-address "$ADDRESS" --blockchain anvil --name "Main wallet" --provider METAMASK --type BROWSER_WALLET',
    ],
  },
  challengeWallet: {
    name: 'wallets challenge',
    subject: 'walletId',
    examples: ['wallets challenge "$PENDING_WALLET" --account "$ACCOUNT" --json'],
  },
  proveWallet: {
    name: 'wallets prove',
    subject: 'walletId',
    examples: ['wallets prove "$SIGNED_WALLET" --account "$ACCOUNT" --data @proof.json'],
  },
  getWallet: { name: 'wallets get', subject: 'walletId', examples: ['wallets get "$WALLET" --account "$ACCOUNT"'] },
  listOfferings: {
    name: 'offerings list',
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
    name: 'offerings get',
    subject: 'offeringId',
    examples: ['offerings get "$OFFERING"', 'offerings get "$OFFERING" --json'],
  },
  createOrder: {
    name: 'orders create',
    examples: [
      'orders create --offering "$OFFERING" --account "$ACCOUNT" --tokens 10.5',
      'orders create --offering "$OFFERING" --account "$ACCOUNT" --units 1050000000 --json',
    ],
  },
  listOfferingOrders: {
    name: 'orders list',
    rows: 'results',
    columns: [...orderColumns, ['ACCOUNT', 'account.full_name'], ['ACCOUNT ID', 'account.id']],
    examples: ['orders list --offering "$OFFERING" --all'],
  },
  getOrder: { name: 'orders get', subject: 'orderId', examples: ['orders get "$ORDER" --offering "$OFFERING"'] },
  cancelOrder: {
    name: 'orders cancel',
    subject: 'orderId',
    examples: ['orders cancel "$ORDER" --offering "$OFFERING"'],
  },
  createRegisterExtract: {
    name: 'register-extracts create',
    examples: ['register-extracts create --account "$ACCOUNT" --offering "$OFFERING" --format json'],
  },
  listRegisterExtracts: {
    name: 'register-extracts list',
    rows: 'extracts',
    columns: [
      ['ID', 'id'],
      ['CAUSE', 'cause'],
      ['BLOCK', 'block'],
      ['UNITS', 'units'],
      ['FORMAT', 'format'],
      ['SHA-256', 'sha256'],
    ],
    examples: ['register-extracts list --account "$ACCOUNT"'],
  },
  getRegisterExtract: {
    name: 'register-extracts get',
    subject: 'extractId',
    examples: ['register-extracts get "$EXTRACT" --account "$ACCOUNT" --json'],
  },
  createTransfer: {
    name: 'transfers create',
    examples: [
      'transfers create --offering "$OFFERING" --sender-wallet "$WALLET" --receiver-wallet "$OTHER_WALLET" --tokens 1 --reason gift',
    ],
  },
  listTransfers: {
    name: 'transfers list',
    rows: 'transfers',
    columns: [
      ['ID', 'id'],
      ['STATUS', 'status'],
      ['REASON', 'reason'],
      ['UNITS', 'units'],
      ['FROM', 'sender_account_id'],
      ['TO', 'receiver_account_id'],
    ],
    examples: ['transfers list --status READY'],
  },
  getTransfer: { name: 'transfers get', subject: 'transferId', examples: ['transfers get "$TRANSFER"'] },
  cancelTransfer: { name: 'transfers cancel', subject: 'transferId', examples: ['transfers cancel "$TRANSFER"'] },
  listEvents: {
    name: 'events list',
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
    name: 'requests list',
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
