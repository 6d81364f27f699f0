import type { ApiDescription } from './platform/api/openapi/openapi.ts'
import { operatorPrefixes } from './platform/api/server/routes.ts'

const text = `
For the people who run offerings: make and open them, decide about investors, see the money arrive and look after
credentials and each other.

## Getting started

\`npm run maintain -- issue-token\` makes a personal access token for an admin of a tenant; later ones are
made here. Send it with every request: \`Authorization: Bearer <ACCESS_TOKEN>\`. It belongs to one person in one
tenant, ends on its own and can be revoked at once.

A **viewer** reads, an **operator** also decides, an **admin** also says who may call.

## What is written is recorded

Every write says who did what, with what was there before and after, in an audit log that nobody can change without
being noticed: \`GET /audit\` and \`GET /directory-audit\` show it, \`npm run maintain -- verify-audit\` checks it.

Requests, answers, lists and errors have the form that integrators know. Unlike theirs, a list with a filter counts
what the filter lets through, so narrow ones are quick and wide ones on millions of rows are not.
`

/** What the operator's reference says before the operations. */
export const operatorApiDescription: ApiDescription = {
  title: 'Investor Token Operator API',
  summary: 'Run offerings, decide about investors, see orders and money move.',
  text: text.trim(),
  prefixes: operatorPrefixes,
  bearer: { description: 'A personal access token of an admin; it begins with `itp_`.' },
  tags: [
    { name: 'Offerings', description: 'From a draft to what is sold.' },
    { name: 'Accounts', description: 'Find investors and decide about them.' },
    { name: 'Wallets', description: 'Where an investor keeps tokens, and whether that is proven.' },
    { name: 'Orders', description: 'What was bought, and what keeps it from advancing.' },
    { name: 'Payments and refunds', description: 'Money in, money back.' },
    { name: 'Payment providers', description: 'Who may tell of payments, and with what they sign.' },
    { name: 'Settlement', description: 'What happens on the chains, and what two people together may do there.' },
    { name: 'Credentials', description: 'Which integrators may call.' },
    { name: 'Webhooks', description: 'Who is told of events, and whether that arrives.' },
    { name: 'Users', description: 'Who runs this tenant.' },
    { name: 'Audit', description: 'Who changed what.' },
  ],
}
