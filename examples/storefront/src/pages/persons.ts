import type { NewBenefitingPerson } from '@investor-token/sdk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { exampleLink, exampleOf, personFields } from '../account-fields.ts'
import { formPanel, requestOf } from '../fields.ts'
import { html } from '../html.ts'
import { idempotencyKeyOf } from '../idempotency-key.ts'
import { formOf, requestTimeout, requireSession, type Shop, sendPage } from '../shop.ts'

const path = '/company/persons'

/** The page for the beneficial owners of a company. Without at least one, its orders are not minted. */
export function personPages(app: FastifyInstance, shop: Shop): void {
  app.get<{ Querystring: { example?: string } }>(path, (request, reply) => {
    const isExample = shop.hasSimulations && request.query.example !== undefined
    return sendForm(shop, request, reply, isExample ? exampleOf(personFields) : undefined)
  })

  app.post(path, async (request, reply) => {
    const { account } = requireSession(shop, request)
    const form = formOf(request)
    try {
      await shop.service.accounts.benefitingPersons.create(
        account.id,
        requestOf(personFields, form) as NewBenefitingPerson,
        { idempotencyKey: `person.${account.id}.${idempotencyKeyOf(form)}`, ...requestTimeout() },
      )
      return reply.redirect(path, 303)
    } catch (error) {
      return sendForm(shop, request, reply, form, error)
    }
  })
}

async function sendForm(
  shop: Shop,
  request: FastifyRequest,
  reply: FastifyReply,
  form: URLSearchParams | undefined,
  error?: unknown,
): Promise<FastifyReply> {
  const { account } = requireSession(shop, request)
  const persons = await shop.service.accounts.benefitingPersons.list(account.id, requestTimeout())
  const button = html`<button ${persons.length > 0 && html`class="second"`}>Add this person</button>`
  const body = html`
    <h1>Beneficial owners of ${account.name}</h1>
    <p class="lead">
      By law we have to know the owners of a company. Please name every person who owns more than 25%.
    </p>
    ${shop.hasSimulations && exampleLink(path)}
    ${
      persons.length > 0 &&
      html`<section class="panel" aria-labelledby="named">
        <h2 id="named">Added so far</h2>
        <ul>${persons.map(({ firstname, lastname, city }) => html`<li>${firstname} ${lastname}, ${city}</li>`)}</ul>
        <p><a class="button" href="/offerings">Continue</a></p>
      </section>`
    }
    ${formPanel({ path, groups: personFields, form, error }, button)}`
  return sendPage(shop, request, reply, { title: 'Beneficial owners', body, status: error === undefined ? 200 : 422 })
}
