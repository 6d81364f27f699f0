import type { ApiDescription } from './platform/api/openapi/openapi.ts'
import { integratorPrefixes } from './platform/api/server/routes.ts'

const text = `
Onboard investors, sell them tokenised offerings, and read their orders, wallets, balances and transactions.

## Getting started

1. An admin issues a credential for you: a \`client_id\`, a \`client_secret\` and the scopes it holds.
2. \`POST /auth\` exchanges it for an access token of 600 seconds. Ask for the scopes that you need and no more.
3. Send the token with every request: \`Authorization: Bearer <ACCESS_TOKEN>\`.

Every path here stands behind \`/api\`, and behind \`/_api\` with the same effect. In the code samples \`BASE_URL\` is
the address of the service with one of them, such as \`https://api.example.com/api\`, and \`TOKEN\` is an access
token.

## Requests and answers

Bodies are JSON in UTF-8, at most 64 KiB. A member or parameter that does not exist is refused, and no value is
changed to fit. Ids are UUIDs in either case; answers have them in lower case. Times are ISO 8601 in UTC.

Every answer carries \`X-Request-Id\`: name it when you ask us about a request.

## Doing things once

Networks fail after the effect and before the answer. Where an operation takes \`X-Idempotency-Key\`, send a value of
your own that is new for each new request, and the same value when you send a request again. The repetition has no
effect and gets the first answer, with \`Idempotency-Replayed: true\`; if its body differs from the first, also with
\`Idempotency-Payload-Mismatch: true\`. A refused request leaves its key unused. Keys belong to a credential, a method
and a path.

## Lists

\`limit\` (10 to 50) and \`offset\` cut a page out of a list, newest first. \`pagination.next\` is the address of the
next page, or null on the last. With \`direction=asc\` the oldest come first and the offset of an element never
changes: use it to read a whole list while it grows.

## Events

Whatever changes in your tenant is told by an event, which exists if and only if the change does. Events are numbered
without a gap. \`GET /events?after=<sequence>\` returns those behind a number, as far as the scopes of your token go:
keep the last \`sequence\` that you have worked on, and you miss none and see none twice. They are kept for 30 days. An
event holds ids and states; read the rest where it is. The events of one thing come in the order of its changes.

## Amounts

Units of a token are whole numbers as strings, in the smallest unit: \`amount * 10^decimals\`. With 8 decimals,
\`"1000000000"\` are 10 tokens. They may exceed what a floating-point number holds. \`price_per_token\` is a decimal
string; \`total_amount\` and \`paid_amount\` are numbers of at most 15 digits in the currency beside them.

## Limits

30 requests in any 60 seconds for each credential, unless the operator has set another limit. \`RateLimit-Policy\` and
\`RateLimit\` tell the limit and what is left of it. Past it the answer is 429 with \`Retry-After\`; a refused request
does not count.

## Versions

The contract has a date as its version. A token is bound to one: \`api_version\` in \`POST /auth\`, or the default of
the credential. \`ST-Api-Version\` tells which one answered, \`ST-Api-Version-Beta: true\` that it may still change.
Operations and parameters with \`x-extension\` are additions to the specification.

## Errors

Every error has one shape: \`error.type\`, \`error.code\`, \`error.message\` and, where the request itself is wrong,
\`error.errors\` with all failures at once. Decide by \`code\`; new ones may come.
`

/** What the reference says before the operations. */
export const apiDescription: ApiDescription = {
  title: 'Investor Token API',
  summary: 'Onboard investors, sell them tokenised offerings, read what they ordered and hold.',
  text: text.trim(),
  prefixes: integratorPrefixes,
  bearer: { bearerFormat: 'JWT', description: 'A token from `POST /auth`; it lasts 600 seconds.' },
  tags: [
    { name: 'Authentication', description: 'From a credential to an access token.' },
    { name: 'Accounts', description: 'The investors: persons and companies.' },
    { name: 'Benefiting persons', description: 'Who benefits from a company in the end.' },
    { name: 'Offerings', description: 'What is sold.' },
    { name: 'Orders', description: 'Who buys how much of an offering, and how far that has come.' },
    { name: 'Wallets', description: 'Where an account keeps its tokens.' },
    { name: 'Balances and transactions', description: 'What wallets hold, and how it came there.' },
    { name: 'Events', description: 'What has happened, in its order.' },
    { name: 'Requests', description: 'What this credential has asked for.' },
    {
      name: 'Simulations',
      description:
        'What happens in a year, at the push of a button. In development only; elsewhere there are no such paths.',
    },
    { name: 'Payment notices', description: 'How payment providers tell of payments.' },
  ],
}
