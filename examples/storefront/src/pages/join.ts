import type { Account, NewAccount } from '@investor-token/sdk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { companyFields, exampleLink, exampleOf, individualFields } from '../account-fields.ts'
import { isOutcomeUnknown } from '../error-text.ts'
import { explain, type FieldGroup, formPanel, requestOf } from '../fields.ts'
import { html } from '../html.ts'
import { idempotencyKeyOf } from '../idempotency-key.ts'
import { formOf, requestTimeout, type Shop, sendPage } from '../shop.ts'

interface Kind {
  readonly path: string
  readonly type: NewAccount['type']
  readonly title: string
  readonly groups: readonly FieldGroup[]
}

const kinds: readonly Kind[] = [
  { path: '/join/person', type: 'INDIVIDUAL', title: 'Open an account', groups: individualFields },
  { path: '/join/company', type: 'COMPANY', title: 'Open an account for a company', groups: companyFields },
]

/** The pages to open an account for a person or a company. */
export function joinPages(app: FastifyInstance, shop: Shop): void {
  app.get('/join', (request, reply) => {
    const body = html`
      <h1>Open an account</h1>
      <p class="lead">Who will own the tokens?</p>
      <ul class="cards">
        <li class="card"><h2><a href="/join/person">A person</a></h2><p>Name, address and bank account.</p></li>
        <li class="card"><h2><a href="/join/company">A company</a></h2><p>And its beneficial owners.</p></li>
      </ul>`
    return sendPage(shop, request, reply, { title: 'Open an account', body })
  })

  for (const kind of kinds) {
    app.get<{ Querystring: { example?: string } }>(kind.path, (request, reply) => {
      const isExample = shop.hasSimulations && request.query.example !== undefined
      return sendForm(shop, request, reply, { kind, form: isExample ? exampleOf(kind.groups) : undefined })
    })

    app.post(kind.path, async (request, reply) => {
      const form = formOf(request)
      try {
        const account = await shop.service.accounts.create(newAccount(kind, form), {
          idempotencyKey: `join.${idempotencyKeyOf(form)}`,
          ...requestTimeout(),
        })
        shop.sessions.start(reply, { account: { id: account.id, type: account.type, name: nameOf(account) } })
        return reply.redirect(account.type === 'COMPANY' ? '/company/persons' : '/offerings', 303)
      } catch (error) {
        return sendForm(shop, request, reply, { kind, form, error })
      }
    })
  }

  app.post('/leave', (request, reply) => {
    shop.sessions.end(request, reply)
    return reply.redirect('/offerings', 303)
  })
}

/** Does not validate the form: the service returns all failures, and a copy of its rules here could get out of date. */
function newAccount({ type, groups }: Kind, form: URLSearchParams): NewAccount {
  // The groups of a kind contain the object of its type, which the compiler cannot know.
  const request = { ...requestOf(groups, form), type } as unknown as NewAccount
  return {
    ...request,
    is_beneficiary: request.is_beneficiary ?? false,
    // A real shop sends true after the investor has clicked the link in a confirmation email.
    communication: { ...request.communication, email_confirmed: false },
  }
}

function nameOf({ individual, company }: Account): string {
  return company?.name ?? `${individual?.firstName} ${individual?.lastName}`
}

function sendForm(
  shop: Shop,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, form, error }: { kind: Kind; form: URLSearchParams | undefined; error?: unknown },
): FastifyReply {
  const { path, title, groups } = kind
  const body = html`
    <p class="crumb"><a href="/join">Person or company</a></p>
    <h1>${title}</h1>
    ${shop.hasSimulations && exampleLink(path)}
    ${formPanel({ path, groups, form, error }, html`<button>Open the account</button>`)}`
  const status =
    explain(error, groups).failures.size > 0 ? 422 : isOutcomeUnknown(error) ? 503 : error === undefined ? 200 : 409
  return sendPage(shop, request, reply, { title, body, status })
}
