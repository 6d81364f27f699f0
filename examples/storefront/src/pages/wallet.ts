import { ApiError, type NewWallet } from '@investor-token/sdk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorText } from '../error-text.ts'
import { type Html, html } from '../html.ts'
import { idempotencyKeyField, idempotencyKeyOf } from '../idempotency-key.ts'
import { formOf, requestTimeout, requireSession, type Shop, sendPage } from '../shop.ts'

const path = '/wallet'

/**
 * Lets the visitor register a wallet and prove that it is theirs: they sign a message that names this shop, their
 * account and the wallet. A script asks a browser wallet; without it, visitors type the address and the signature.
 */
export function walletPages(app: FastifyInstance, shop: Shop): void {
  const { wallets } = shop.service.accounts

  app.get(path, (request, reply) => sendForm(shop, request, reply))

  app.post(path, async (request, reply) => {
    const session = requireSession(shop, request)
    const form = formOf(request)
    try {
      const { id, challenge } = await wallets.register(session.account.id, newWallet(form), {
        idempotencyKey: `wallet.${session.account.id}.${idempotencyKeyOf(form)}`,
        ...requestTimeout(),
      })
      session.toSign = challenge === null ? undefined : { walletId: id, message: challenge }
      return reply.redirect(path, 303)
    } catch (error) {
      return sendForm(shop, request, reply, error)
    }
  })

  app.post(`${path}/proof`, async (request, reply) => {
    const session = requireSession(shop, request)
    if (!session.toSign) return reply.redirect(path, 303)
    const { walletId, message } = session.toSign
    const signature = (formOf(request).get('signature') ?? '').trim()
    try {
      await wallets.prove(session.account.id, walletId, { message, signature }, requestTimeout())
    } catch (error) {
      return sendForm(shop, request, reply, error)
    }
    session.toSign = undefined
    session.notice = 'Thank you: this wallet is yours, and your tokens will go there.'
    return reply.redirect('/portfolio', 303)
  })

  app.post(`${path}/cancel`, (request, reply) => {
    requireSession(shop, request).toSign = undefined
    return reply.redirect(path, 303)
  })
}

function newWallet(form: URLSearchParams): NewWallet {
  return {
    public_address: (form.get('public_address') ?? '').trim(),
    blockchain: form.get('blockchain') as NonNullable<NewWallet['blockchain']>,
    name: 'My wallet',
    provider: 'METAMASK',
    type: 'BROWSER_WALLET',
  }
}

async function sendForm(
  shop: Shop,
  request: FastifyRequest,
  reply: FastifyReply,
  error?: unknown,
): Promise<FastifyReply> {
  const { toSign } = requireSession(shop, request)
  const message = problemOf(error)
  if (error !== undefined && message === undefined) throw error
  const body = html`
    <h1>Your wallet</h1>
    ${message && html`<div class="message bad" role="alert"><p>${message}</p></div>`}
    ${toSign ? signForm(toSign.message) : registerForm(await chainsOf(shop))}`
  const head = html`<script type="module" src="/wallet.js"></script>`
  return sendPage(shop, request, reply, { title: 'Your wallet', body, head, status: error === undefined ? 200 : 422 })
}

/** Returns the service's explanation of a wrong address or signature, which a visitor understands. */
function problemOf(error: unknown): string | undefined {
  const isTheirs =
    error instanceof ApiError &&
    error.is('validation_failed', 'wallet_already_registered', 'too_many_pending_wallets', 'wallet_proof_invalid')
  return isTheirs ? error.message : errorText(error)
}

/** Returns the chains of all offerings on sale. */
async function chainsOf(shop: Shop): Promise<string[]> {
  const { results } = await shop.service.offerings.list(requestTimeout()).page()
  return [...new Set(results.map(({ blockchain }) => blockchain))]
}

function registerForm(chains: readonly string[]): Html {
  return html`
    <p class="lead">Your tokens go to a wallet of yours. First enter its address.</p>
    <form method="post" action="${path}" data-wallet="address" novalidate>
      ${idempotencyKeyField()}
      <div class="field">
        <label for="public_address">Address of your wallet</label>
        <input id="public_address" name="public_address" autocomplete="off" spellcheck="false" required>
      </div>
      <div class="field">
        <label for="blockchain">Chain</label>
        <select id="blockchain" name="blockchain">
          ${chains.map((chain) => html`<option value="${chain}">${chain}</option>`)}
        </select>
      </div>
      <button>Continue</button>
      <button class="second" type="button" hidden>Use my browser wallet</button>
    </form>`
}

function signForm(message: string): Html {
  return html`
    <p class="lead">Now sign this message with your wallet. It costs nothing and moves nothing.</p>
    <pre class="panel" id="message">${message}</pre>
    <form method="post" action="${path}/proof" data-wallet="signature" novalidate>
      <div class="field">
        <label for="signature">Signature</label>
        <input id="signature" name="signature" autocomplete="off" spellcheck="false" required>
      </div>
      <button>Send the signature</button>
      <button class="second" type="button" hidden>Sign with my browser wallet</button>
    </form>
    <form method="post" action="${path}/cancel"><button class="plain">Use another wallet</button></form>`
}
