import type { OrderOfAccount, Transaction, Wallet, WalletBalance } from '@investor-token/sdk'
import type { FastifyInstance } from 'fastify'
import { type Content, type Html, html } from '../html.ts'
import { showMoney, showTokens } from '../money.ts'
import { pathOf } from '../own-order.ts'
import { requestTimeout, requireSession, type Shop, sendPage } from '../shop.ts'

// How many recent orders and transactions to show. A real shop would add paging.
const shown = 20

/** The visitor's token balances, orders, transactions and wallets. */
export function portfolioPages(app: FastifyInstance, shop: Shop): void {
  const { accounts } = shop.service

  app.get('/portfolio', async (request, reply) => {
    const { account } = requireSession(shop, request)
    const newest = { direction: 'desc', limit: shown } as const
    const [balances, wallets, transactions, orders] = await Promise.all([
      accounts.wallets.balances(account.id, requestTimeout()).page(),
      accounts.wallets.list(account.id, requestTimeout()).page(),
      accounts.transactions(account.id, requestTimeout()).page(newest),
      accounts.orders(account.id, requestTimeout()).page(newest),
    ])
    const body = html`
      <h1>Your portfolio</h1>
      ${holdings(balances.results)}
      ${section('Orders', orders.results, 'You have no orders yet.', ordersTable)}
      ${section('Transactions', transactions.results, 'You have no transactions yet.', transactionsTable)}
      ${section('Wallets', wallets.results, 'You have no wallet yet.', walletsTable)}
      <p><a class="button" href="/wallet">Add a wallet</a></p>`
    return sendPage(shop, request, reply, { title: 'Portfolio', body })
  })
}

function holdings(balances: readonly WalletBalance[]): Html {
  const owned = balances.filter(({ balance }) => balance > 0n)
  if (owned.length === 0)
    return html`<p class="lead">You own no tokens yet. <a href="/offerings">See the offerings</a>.</p>`
  return html`
    <ul class="cards">
      ${owned.map(
        (one) => html`
          <li class="card">
            <h2>${one.name}</h2>
            <p class="price">${showTokens(one.balance, one)}</p>
            <p class="quiet">in wallet <code>${short(one.wallet_address)}</code></p>
          </li>`,
      )}
    </ul>`
}

function section<Item>(
  title: string,
  items: readonly Item[],
  none: string,
  table: (items: readonly Item[]) => Html,
): Html {
  return html`
    <section class="panel">
      <h2>${title}</h2>
      ${items.length === 0 ? html`<p class="quiet">${none}</p>` : table(items)}
    </section>`
}

function ordersTable(orders: readonly OrderOfAccount[]): Html {
  return tableOf(
    ['Tokens', 'Offering', 'Price', 'Status'],
    orders.map((order) => [
      html`<a href="${pathOf(order)}">${showTokens(order.units, order.offering)}</a>`,
      order.offering.name,
      showMoney(order.total_amount, order.currency),
      html`<span class="badge ${order.status.toLowerCase()}">${order.status}</span>`,
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
      html`<code title="${one.transaction_hash}">${short(one.transaction_hash)}</code>`,
      html`<span class="badge ${one.status}">${one.status}</span>`,
    ]),
  )
}

function walletsTable(wallets: readonly Wallet[]): Html {
  return tableOf(
    ['Name', 'Address', 'Status'],
    wallets.map((one) => [
      one.name,
      html`<code>${one.public_address}</code>`,
      html`<span class="badge ${one.status.toLowerCase()}">${one.status}</span>`,
    ]),
  )
}

function tableOf(heads: readonly string[], rows: readonly (readonly Content[])[]): Html {
  return html`
    <div class="scroll" tabindex="0">
      <table>
        <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
        <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
      </table>
    </div>`
}

function short(hash: string): string {
  return `${hash.slice(0, 6)}…${hash.slice(-4)}`
}

function showMoment(moment: string): string {
  return new Date(moment).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
}
