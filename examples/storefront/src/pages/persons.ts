import { type NewBenefitingPerson, PayloadMismatchError, ValidationError } from '@investor-token/sdk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { exampleLink, exampleOf, personFields } from '../account-fields.ts'
import { failureSummary, failuresOf, fieldsets, pointersOf, requestOf } from '../fields.ts'
import { html } from '../html.ts'
import { intentionField, intentionOf } from '../intention.ts'
import { refusalText } from '../refusal-text.ts'
import { formOf, patience, requireSession, type Shop, sendPage } from '../shop.ts'

const path = '/company/persons'

/** The persons behind a company: without one, its orders are not carried out. */
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
        { idempotencyKey: `person.${account.id}.${intentionOf(form)}`, ...patience() },
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
  const failures = failuresOf(error instanceof ValidationError ? error.failures : [], pointersOf(personFields))
  const refused = refusalText(error)
  if (error !== undefined && failures.size === 0 && refused === undefined) throw error
  const persons = await shop.service.accounts.benefitingPersons.list(account.id, patience())
  const body = html`
    <h1>Who benefits from ${account.name}?</h1>
    <p class="lead">
      The law wants to know the people behind a company. Please name everybody who owns more than a quarter.
    </p>
    ${shop.hasSimulations && exampleLink(path)}
    ${
      persons.length > 0 &&
      html`<section class="panel" aria-labelledby="named">
        <h2 id="named">Named so far</h2>
        <ul>${persons.map(({ firstname, lastname, city }) => html`<li>${firstname} ${lastname}, ${city}</li>`)}</ul>
        <p><a class="button" href="/offerings">That is everybody</a></p>
      </section>`
    }
    ${refused && html`<div class="message bad" role="alert"><p>${refused}</p></div>`}
    ${failureSummary(failures, personFields)}
    <form method="post" action="${path}" novalidate>
      ${intentionField(form && !(error instanceof PayloadMismatchError) ? intentionOf(form) : undefined)}
      ${fieldsets(personFields, form, failures)}
      <button ${persons.length > 0 && html`class="second"`}>Add this person</button>
    </form>`
  return sendPage(shop, request, reply, { title: 'Who benefits', body, status: error === undefined ? 200 : 422 })
}
