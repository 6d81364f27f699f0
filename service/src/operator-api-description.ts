import type { ApiDescription } from './platform/api/openapi/openapi.ts'
import { operatorPrefixes } from './platform/api/server/routes.ts'

const text = `
For the people who operate offerings: create and open offerings, approve investors, follow payments and tokens, and
manage credentials and users.

## Getting started

\`maintain create-tenant\` invites the first two people by mail. They open the link, sign in at the identity
provider of the tenant or with a passkey, and invite others. The pages are at \`/console/sign-in\`.

Scripts use a personal access token, which a signed-in person creates with \`POST /users/{userId}/tokens\`. Send it with
every request: \`Authorization: Bearer <ACCESS_TOKEN>\`. A token acts with the duties of its user, expires, can be
revoked at any time, and can never confirm anything.

Each operation needs one **duty** of the user, such as \`money\` or \`team\`. The roles viewer, operator and admin are
named sets of duties for inviting users.

## Second person

Some writes need a second person: always, or from an amount on that the tenant chooses with \`POST /approval-policies\`.
Such a request is checked completely, changes nothing, and returns 202 with an \`approval_id\`. Another person, who has
the duty \`confirm_duty\` and has just used a passkey, confirms it with \`POST /approvals/{approvalId}/confirm\`, or
\`POST /directory-approvals/{approvalId}/confirm\` for users, policies and credentials. Only then does it take effect.
An approval expires after seven days, or as your tenant has set.

## Audit log

Every write is recorded in an audit log: who changed what, with the changed fields before and after. The log is a hash
chain, so that manipulation is detected. \`GET /audit\` and \`GET /directory-audit\` list it, and
\`maintain verify-audit\` verifies it.

Requests, responses, lists and errors have the same format as in the API for integrators. Unlike there, the \`count\` of
a filtered list counts the matching rows only, so a list with a narrow filter is fast, and one with a wide filter on
millions of rows is slow.
`

/** The introduction of the operator API reference. */
export const operatorApiDescription: ApiDescription = {
  title: 'Investor Token Operator API',
  summary: 'Operate offerings, approve investors, and follow orders, payments and tokens.',
  text: text.trim(),
  prefixes: operatorPrefixes,
  bearer: { description: 'A personal access token of a user; it starts with `itp_`.' },
  tags: [
    { name: 'Work', description: 'What waits for you, and the search over everything.' },
    { name: 'Timelines', description: 'Everything that happened to an order, account or offering.' },
    { name: 'Notes', description: 'What users write about resources for each other.' },
    { name: 'Saved views', description: 'Named filters of lists.' },
    { name: 'Offerings', description: 'Drafts and offerings for sale.' },
    { name: 'Accounts', description: 'Search and approve investors.' },
    { name: 'Wallets', description: 'The wallets of investors, and the proof of their ownership.' },
    { name: 'Orders', description: 'Purchases of tokens, their status and their blockers.' },
    { name: 'Payments and refunds', description: 'Incoming payments, bank statements, refunds and payouts.' },
    { name: 'Distributions', description: 'Coupons, dividends and redemptions for the holders of a token.' },
    { name: 'Transfers', description: 'Transfers between investors, and those on a chain without a request.' },
    { name: 'Payment providers', description: 'Providers that send signed payment notifications, and their secrets.' },
    {
      name: 'KYC providers',
      description: 'Providers that send signed results of identity checks, and the results that they sent.',
    },
    {
      name: 'Settlement',
      description: 'Chain ops, tokens and their holders, and token actions, which need two users.',
    },
    { name: 'Credentials', description: 'The API credentials of integrators.' },
    { name: 'Webhooks', description: 'Webhook endpoints that receive events, and their deliveries.' },
    {
      name: 'Sign-in',
      description: 'Sessions of people: identity providers, passkeys and invitations. For pages of this service.',
    },
    { name: 'Users', description: 'The users of the operator API, their duties, sessions and tokens.' },
    { name: 'Approvals', description: 'Changes that wait for a second person, and when one is needed.' },
    { name: 'Exports', description: 'Files of rows for spreadsheets and other systems, written in the background.' },
    { name: 'Events', description: 'What happened, and what happens now.' },
    { name: 'Documents', description: 'Files of accounts, orders and offerings.' },
    { name: 'Personal data', description: 'What is stored about an investor: export and erasure.' },
    { name: 'Settings', description: 'What your tenant decides for itself.' },
    { name: 'Audit', description: 'Who changed what.' },
  ],
}
