import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderOfAccount, Transaction, Wallet, WalletBalance } from '@investor-token/sdk'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../html.ts'
import { showMoney, showTokens } from '../money.ts'
import { pathOf } from '../own-order.ts'
import { requestTimeout, requireSession, type Shop, sendPage } from '../shop.ts'
import { badge, section, shortHash, showMoment, tableOf } from '../table.ts'
import { holderSimulationButtons } from './holder-simulations.ts'
import { paymentsTable, transfersTable } from './holder-tables.ts'

// Number of recent orders and transactions to show. A real shop would add paging.
const shown = 20
const eventTimeoutMs = 1_000

/** The visitor's token balances, payments, orders, transfers, transactions and wallets. */
export function portfolioPages(app: FastifyInstance, shop: Shop): void {
  const { accounts, offerings, transfers } = shop.service

  app.get('/portfolio', async (request, reply) => {
    const { account } = requireSession(shop, request)
    const newest = { direction: 'desc', limit: shown } as const
    const [balances, entitlements, wallets, transactions, orders, all, catalogue] = await Promise.all([
      accounts.wallets.balances(account.id, requestTimeout()).page(),
      accounts.entitlements(account.id, requestTimeout()).page(newest),
      accounts.wallets.list(account.id, requestTimeout()).page(),
      accounts.transactions(account.id, requestTimeout()).page(newest),
      accounts.orders(account.id, requestTimeout()).page(newest),
      transfers.list(requestTimeout()),
      offerings.list(requestTimeout()).page(),
      // Announcements come with events. If polling takes too long, the next visit shows them.
      Promise.race([shop.feed.poll().catch(() => {}), sleep(eventTimeoutMs)]),
    ])
    const owned = balances.results.filter(({ balance }) => balance > 0n)
    const known = new Map(catalogue.results.map((one) => [one.id, one]))
    const paid = new Set(entitlements.results.map(({ distribution_id }) => distribution_id))
    const announced = shop.announcements
      .ofOfferings(new Set(owned.map(({ offering_id }) => offering_id)))
      .filter(({ distributionId }) => !paid.has(distributionId))
    // The service knows the shop, not its visitors. A shop with many transfers stores the ids of each visitor.
    const own = all.transfers.filter(({ sender_account_id: sender, receiver_account_id: receiver }) =>
      [sender, receiver].includes(account.id),
    )
    const body = html`
      <h1>Your portfolio</h1>
      ${holdings(owned)}
      ${section('Payments to you', [...announced, ...entitlements.results], 'No payments yet.', () =>
        paymentsTable({ announced, entitlements: entitlements.results, known }),
      )}
      ${section('Orders', orders.results, 'You have no orders yet.', ordersTable)}
      ${section('Transfers', own, 'You have no transfers yet.', () => transfersTable(own, { account, known }))}
      ${section('Transactions', transactions.results, 'You have no transactions yet.', transactionsTable)}
      ${section('Wallets', wallets.results, 'You have no wallet yet.', walletsTable)}
      <p><a class="button" href="/wallet">Add a wallet</a></p>
      ${shop.hasSimulations && owned.length > 0 && holderSimulationButtons()}`
    return sendPage(shop, request, reply, { title: 'Portfolio', body })
  })
}

function holdings(owned: readonly WalletBalance[]): Html {
  if (owned.length === 0)
    return html`<p class="lead">You own no tokens yet. <a href="/offerings">See the offerings</a>.</p>`
  return html`
    <ul class="cards">
      ${owned.map(
        (one) => html`
          <li class="card">
            <h2>${one.name}</h2>
            <p class="price">${showTokens(one.balance, one)}</p>
            <p class="quiet">in wallet <code>${shortHash(one.wallet_address)}</code></p>
          </li>`,
      )}
    </ul>`
}

function ordersTable(orders: readonly OrderOfAccount[]): Html {
  return tableOf(
    ['Tokens', 'Offering', 'Price', 'Status'],
    orders.map((order) => [
      html`<a href="${pathOf(order)}">${showTokens(order.units, order.offering)}</a>`,
      order.offering.name,
      showMoney(order.total_amount, order.currency),
      badge(order.status),
    ]),
  )
}

function transactionsTable(transactions: readonly Transaction[]): Html {
  return tableOf(
    ['Time', 'Type', 'Tokens', 'Transaction', 'Status'],
    transactions.map((one) => [
      html`<time datetime="${one.block_timestamp}">${showMoment(one.block_timestamp)}</time>`,
      one.transaction_type,
      showTokens(one.units, one),
      html`<code title="${one.transaction_hash}">${shortHash(one.transaction_hash)}</code>`,
      badge(one.status),
    ]),
  )
}

function walletsTable(wallets: readonly Wallet[]): Html {
  return tableOf(
    ['Name', 'Address', 'Status'],
    wallets.map((one) => [one.name, html`<code>${one.public_address}</code>`, badge(one.status)]),
  )
}
